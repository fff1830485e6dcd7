/**
 * Section on shorter windows. It compares payoffs and answers from the first part of each trial's window with those
 * from the whole window.
 */
import { object } from '../../../../core/schema/schema.ts';
import { listed } from '../../../../core/text/listed.ts';
import { formatDuration } from '../../../../core/text/units.ts';
import type {
  GameCaseSummary,
  GameSummary,
  MeanValue,
  ShorterWindows,
  StateSummary,
} from '../../../../harness/studies/game/summary.ts';
import { formatNumber } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { type GameReport, gainWords, idWords, nameOf, regretWords, stateWords } from '../../data.ts';

/** Largest number of rows of a table that is not folded up. */
const fewRows = 16;

type Row = {
  game: GameCaseSummary;
  state: StateSummary;
  group: number;
  strategy: number;
  /** Payoff of the shorter window minus payoff of the whole window, one entry per shorter window, shortest first. */
  differences: (MeanValue | null)[];
};

function rowsOf(game: GameCaseSummary, lengths: readonly number[]): Row[] {
  return game.states.flatMap(state =>
    state.payoffs.flatMap((own, group) =>
      own.flatMap((mean, strategy): Row[] => {
        if (mean === null) return [];
        const at = (length: number) => state.shorter.find(({ windowMs }) => windowMs === length);
        const differences = lengths.map(length => at(length)?.differences[group]?.[strategy] ?? null);
        return [{ game, state, group, strategy, differences }];
      }),
    ),
  );
}

/**
 * States the largest possible difference between payoffs of a shorter window and of the whole window. Each difference
 * is below its own bound with 95 %, so all are below the largest bound with 95 % (an intersection-union test, as for
 * certificates).
 */
function shown(rows: readonly Row[], k: number, lengthMs: number): string {
  const length = formatDuration(lengthMs);
  const bounds = rows.map(({ game, differences }) => {
    const { low, high } = differences[k] ?? { low: null, high: null };
    return low === null || high === null ? null : Math.max(Math.abs(low), Math.abs(high)) / game.fairShareBps;
  });
  if (bounds.includes(null)) return `For the first ${length} there is no result: it needs two trials of every state.`;
  const [most, tolerance] = [
    Math.max(...(bounds as number[])),
    Math.min(...rows.map(({ game }) => game.tolerance / game.fairShareBps)),
  ];
  const percent = `${formatNumber(most, 'ratio')}\u00a0%`;
  const within = `The first ${length} alone give every payoff within ${percent} of the fair share`;
  return most <= tolerance
    ? `${within}, and so within the tolerance: windows of ${length} are long enough.`
    : `${within}, which is more than the tolerance: it is not shown that windows of ${length} are long enough.`;
}

function answerWords(game: GameCaseSummary, answer: NonNullable<ShorterWindows['answer']>): string {
  const states = listed(answer.states.map(id => idWords(game, id)));
  const words = {
    equilibrium: `equilibrium ${states}`,
    equilibria: `equilibria ${states}`,
    cycle: 'a cycle of best responses',
    none: 'no state is an equilibrium',
    undecided: 'undecided',
    measured: 'all states are measured',
  };
  return words[answer.kind];
}

/** States if the answers and the verdicts on states are the same as with the whole windows. */
function sameAnswers({ games }: GameSummary, lengthMs: number): string {
  const own = games.flatMap(game => {
    const shorter = game.shorter.find(({ windowMs }) => windowMs === lengthMs);
    return shorter === undefined ? [] : [{ game, shorter }];
  });
  const others = own.flatMap(({ game, shorter: { answer } }) => {
    if (answer === null) return game.answer === null ? [] : [`${nameOf(game)} takes more trials`];
    const words = answerWords(game, answer);
    return game.answer !== null && words === answerWords(game, game.answer) ? [] : [`${nameOf(game)}: ${words}`];
  });
  const verdicts = own.flatMap(({ game, shorter }) =>
    game.states.map(({ id, verdict }) => verdict === shorter.verdicts[id]),
  );
  const changed = verdicts.filter(isSame => !isSame);
  const answers =
    others.length === 0
      ? `the answer ${own.length === 1 ? 'is the same' : `of each of the ${own.length} games is the same`}`
      : others.join('; ');
  const states =
    changed.length === 0
      ? `each of the ${verdicts.length} states has the same verdict`
      : `${changed.length} of the ${verdicts.length} states ${changed.length === 1 ? 'has' : 'have'} another verdict`;
  return `From the first ${formatDuration(lengthMs)} alone, ${answers}, and ${states}.`;
}

/** Returns the section. Null if no trial was long enough, or if the payoff is not a goodput. */
function render({ plan: { run }, summary }: GameReport): Html | null {
  const lengths = [...new Set(summary.games.flatMap(({ shorter }) => shorter.map(({ windowMs }) => windowMs)))].sort(
    (a, b) => a - b,
  );
  const hasMeasured = summary.games.some(({ states }) => states.length > 0);
  if (lengths.length === 0 || !hasMeasured) return null;
  const rows = summary.games.flatMap(game => rowsOf(game, lengths));
  const cell = ({ game }: Row, difference: MeanValue | null) => {
    if (difference === null) return html`<td>\u2013</td>`;
    const { value, low, high, n } = difference;
    const words = (bound: number) => regretWords(summary, game, bound);
    const bounds = low === null || high === null ? '' : `${words(low)} to ${words(high)}, `;
    return html`<td><span class="value">${gainWords(summary, game, value)}</span>
<small>${bounds}n = ${n}</small></td>`;
  };
  const cells = rows.map(row => {
    const { game, state, group, strategy, differences } = row;
    const prefix = summary.games.length === 1 ? '' : `${nameOf(game)}: `;
    return html`<tr><th>${prefix}${stateWords(game, state.counts)}</th>
<td>${game.groups[group]!.name}, ${game.strategies[strategy]!.title}</td>
${differences.map(difference => cell(row, difference))}</tr>`;
  });
  const table = html`<div class="scroll"><table><thead><tr><th>State</th>
<th>Player</th>
${lengths.map(length => html`<th>First ${formatDuration(length)}</th>`)}</tr></thead>
<tbody>${cells}</tbody></table></div>`;
  return html`<p>${lengths.map((length, k) => shown(rows, k, length)).join(' ')}</p>
<p>${lengths.map(length => sameAnswers(summary, length)).join(' ')}</p>
${rows.length <= fewRows ? table : html`<details><summary>Each state</summary>${table}</details>`}
<p class="note">Payoffs of the beginning of the window minus those of the whole ${formatDuration(run.windowMs)}, in percent of
the fair share: means over trials with bounds that hold with 95 % each.</p>`;
}

export const plugin: ReportSection<GameReport> = {
  id: 'windows',
  title: 'Is a shorter window enough?',
  source: 'own',
  params: object({}),
  order: 90,
  render,
};
