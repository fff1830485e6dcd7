/** Sections on the states of a game: certificates, the path of the search, and costs. */
import { counted } from '../../core/text/counted.ts';
import type { BesideQuantity } from '../../harness/studies/game/measure.ts';
import type { GameCaseSummary, GameSummary, StateSummary } from '../../harness/studies/game/summary.ts';
import { formatNumber, formatValue } from '../format.ts';
import { type Html, html } from '../html.ts';
import {
  besideWords,
  type GameReport,
  gainWords,
  idWords,
  nameOf,
  regretWords,
  signOf,
  stateVerdictWords,
  stateWords,
  verdictWords,
} from './data.ts';

const jainSaid = " Jain's index is of the players' mean payoffs; those of one group and strategy are taken as alike.";

/** Returns a table with the gain of every single switch out of a state. */
function deviationsTable(summary: GameSummary, game: GameCaseSummary, { deviations }: StateSummary): Html {
  const name = (id: string) => game.strategies.find(strategy => strategy.name === id)?.title ?? id;
  const bounds = (low: number | null, high: number | null) =>
    low === null || high === null ? '\u2013' : `${gainWords(summary, game, low)} to ${gainWords(summary, game, high)}`;
  const rows = deviations.map(
    ({ group, from, to, gain, low, high, verdict, trialsNeeded }) => html`<tr>
<td>${game.groups.length === 1 ? null : `${group}: `}${name(from)} \u2192 ${name(to)}</td>
<td>${gainWords(summary, game, gain)}</td>
<td>${bounds(low, high)}</td>
<td>${verdictWords[verdict]}</td>
<td>${trialsNeeded === null ? '\u2013' : `about ${trialsNeeded} trials of both states`}</td></tr>`,
  );
  return html`<table>
<thead><tr><th>Switch</th><th>Gain</th><th>Bounds</th><th>Verdict</th><th>To decide it</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** Returns the certificate of a state, folded up below the verdict. */
function certificate({ summary }: GameReport, game: GameCaseSummary, state: StateSummary): Html {
  const tolerances = Object.entries(state.at)
    .map(([title, verdict]) => `${title}: ${stateVerdictWords[verdict]}`)
    .join(', ');
  const css = { equilibrium: 'valid', refuted: 'invalid', open: 'degraded' }[state.verdict];
  const verdict = html`<span class="${css}">${stateVerdictWords[state.verdict]}</span>`;
  const regret = state.regret === null ? '' : `, regret at most ${regretWords(summary, game, state.regret)}`;
  const trials = counted(state.trials, 'trial');
  const byPaper = state.paper === null ? 'trials are missing' : state.paper ? 'an equilibrium' : 'none';
  return html`<details><summary><b>${stateWords(game, state.counts)}</b> \u2013 ${verdict}${regret}, ${trials}</summary>
<div class="scroll">${deviationsTable(summary, game, state)}</div>
<p class="note">At other tolerances: ${tolerances}. By the paper's rule: ${byPaper}.</p></details>`;
}

export function certificatesSection(report: GameReport): Html {
  const { games, payoff } = report.summary;
  const certificates = games.map(game => {
    const states = game.states.map(state => certificate(report, game, state));
    return html`<h3>${nameOf(game)}</h3>${states}`;
  });
  return html`${certificates}
<p class="note">Gains${payoff.unit === 'bit/s' ? ' are of the fair share' : ''}${payoff.better === 'lower' ? ' are positive where the player is better off' : ''}; the upper bound is that of one switch,
the lower one is corrected for the number of switches (Bonferroni). A state is an equilibrium when every upper bound is
below the tolerance, and none when one lower bound is above it.</p>`;
}

/** Returns the section on the path of the search. Null if the games were not searched. */
export function pathSection({ summary: { games } }: GameReport): Html | null {
  const ends = { equilibrium: 'an equilibrium', cycle: 'a cycle', undecided: 'undecided' } as const;
  const searched = games.filter(
    ({ answer }) =>
      answer?.scope === 'search' &&
      answer.walks.length > 0 &&
      answer.walks.some(({ passed }) => passed.length > 1 || answer.walks.length <= 3),
  );
  if (searched.length === 0) return null;
  const paths = searched.map(game => {
    const walks = game.answer!.walks.map(
      ({ passed, end }) => html`<li>${passed.map(id => idWords(game, id)).join(' \u2192 ')}: ${ends[end]}</li>`,
    );
    return html`<h3>${nameOf(game)}</h3><ul>${walks}</ul>`;
  });
  return html`${paths}
<p class="note">The path that the trials show in the end: a step that was taken by chance and taken back is not in
it.</p>`;
}

export function costsSection({ summary }: GameReport): Html {
  const { games, payoff } = summary;
  const besides = [...new Set(games.flatMap(({ states }) => states.flatMap(({ beside }) => Object.keys(beside))))];
  const shownOf = (name: string) =>
    (Object.keys(besideWords) as BesideQuantity[]).filter(id =>
      games.some(({ states }) => states.some(({ beside }) => beside[name]?.[id] != null)),
    );
  const columns = besides.flatMap(name => shownOf(name).map(id => ({ name, id, ...besideWords[id] })));
  const isRate = payoff.unit === 'bit/s';
  const share = (value: number | null | undefined) => (value == null ? '\u2013' : `${formatNumber(value, 'ratio')} %`);
  const row = (game: GameCaseSummary, state: StateSummary) => {
    const words = `${games.length === 1 ? '' : `${nameOf(game)}: `}${stateWords(game, state.counts)}`;
    const mark = state.verdict === 'equilibrium' ? html`<small class="valid">equilibrium</small>` : null;
    const total = state.total === null ? null : signOf(summary) * state.total;
    return html`<tr><th>${words}${mark}</th>
<td>${formatValue(total, payoff.unit)}</td>
${isRate ? html`<td>${state.jain === null ? '\u2013' : state.jain.toFixed(3)}</td>` : null}
<td>${share(state.link['link-utilisation'])}</td>
<td>${formatValue(state.link['rtt-median'] ?? null, 'ms')}</td>
${columns.map(({ name, id, unit }) => html`<td>${formatValue(state.beside[name]?.[id] ?? null, unit)}</td>`)}</tr>`;
  };
  return html`<div class="scroll"><table><thead><tr><th>State</th>
<th>Sum of payoffs</th>
${isRate ? html`<th>Jain's index</th>` : null}
<th>Link in use</th>
<th>RTT, median</th>
${columns.map(({ name, title }) => html`<th>${name}: ${title}</th>`)}</tr></thead>
<tbody>${games.flatMap(game => game.states.map(state => row(game, state)))}</tbody></table></div>
<p class="note">Means over trials.${isRate ? jainSaid : null}</p>`;
}
