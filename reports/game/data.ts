/** Data of the report of a game study, and texts that its sections share. */
import { formatDuration } from '../../core/text/units.ts';
import type { Versions } from '../../harness/record/versions.ts';
import type { BesideQuantity } from '../../harness/studies/game/measure.ts';
import type { GamePlan } from '../../harness/studies/game/plan.ts';
import type { GameCaseSummary, GameSummary, MeanValue, StateSummary } from '../../harness/studies/game/summary.ts';
import { formatNumber, formatValue } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { JudgedReport } from '../judged-report.ts';

/** Data of the report. `changes`: assignments of `--set`, as the user wrote them. */
export type GameReport = JudgedReport & {
  plan: GamePlan;
  versions: Versions;
  createdMs: number;
  summary: GameSummary;
  changes: readonly string[];
};

export const nameOf = ({ title }: GameCaseSummary) => (title === '' ? 'The game' : title);

/** Lists the players of each strategy, one group after the other: "1 BBRv1; 1 CUBIC". */
export function stateWords({ strategies, groups }: GameCaseSummary, counts: readonly (readonly number[])[]): string {
  return counts
    .map((own, g) => {
      const played = own.flatMap((count, k) => (count === 0 ? [] : [`${count} ${strategies[k]!.title}`])).join(', ');
      return groups.length === 1 ? played : `${groups[g]!.name}: ${played}`;
    })
    .join('; ');
}

export function stateOf({ states }: GameCaseSummary, id: string): StateSummary | undefined {
  return states.find(state => state.id === id);
}

/** Describes the players of the state with this id. Returns the id if the state is unknown. */
export function idWords(game: GameCaseSummary, id: string): string {
  const counts = stateOf(game, id)?.counts ?? game.named[id];
  return counts === undefined ? id : stateWords(game, counts);
}

/**
 * Returns -1 if lower payoffs are better, otherwise 1. The summary stores payoffs multiplied by this sign, so that a
 * larger payoff is always better.
 */
export const signOf = ({ payoff: { better } }: GameSummary) => (better === 'lower' ? -1 : 1);

/** Returns a mean payoff with its bounds, with the sign with which the payoff was measured. */
export function measuredSign(
  summary: GameSummary,
  { value, low, high }: MeanValue,
): Omit<MeanValue, 'n' | 'confidence'> {
  if (signOf(summary) === 1) return { value, low, high };
  return { value: -value, low: high === null ? null : -high, high: low === null ? null : -low };
}

/** Formats a regret as `gainWords` formats a gain, but without a sign, because a regret is never negative. */
export function regretWords(summary: GameSummary, game: GameCaseSummary, regret: number): string {
  return gainWords(summary, game, regret).replace('+', '');
}

/** Formats a gain: in percent of the fair share if the payoff is a rate, otherwise in the unit of the payoff. */
export function gainWords(
  { payoff: { unit } }: GameSummary,
  { fairShareBps }: GameCaseSummary,
  gain: number | null,
): string {
  if (gain === null) return '\u2013';
  const sign = gain > 0 ? '+' : '';
  // rounded to 0.1 %, like its bounds
  return unit === 'bit/s'
    ? `${sign}${formatNumber(Math.round((gain / fairShareBps) * 1000) / 1000, 'ratio')}\u00a0%`
    : `${sign}${formatValue(gain, unit)}`;
}

export const verdictWords = { profitable: 'pays', 'not-profitable': 'does not pay', open: 'open' } as const;
export const stateVerdictWords = { equilibrium: 'equilibrium', refuted: 'no equilibrium', open: 'open' } as const;

/** Name and unit of each quantity that is reported for applications that are not players. */
export const besideWords: Readonly<Record<BesideQuantity, { title: string; unit: string }>> = {
  goodput: { title: 'goodput', unit: 'bit/s' },
  'stall-time': { title: 'stalled', unit: 's' },
  'frame-rate': { title: 'frame rate', unit: '1/s' },
  'frame-latency-p95': { title: 'frame latency p95', unit: 'ms' },
  'g1072-score-bounded': { title: 'G.1072 score', unit: '' },
};

/** Returns the share of all players that use the first strategy, 0 to 1. */
export function firstShare({ groups }: GameCaseSummary, counts: readonly (readonly number[])[]): number {
  return counts.reduce((sum, own) => sum + own[0]!, 0) / groups.reduce((sum, { players }) => sum + players, 0);
}

/**
 * Returns the paper's statements, and the differences between this study and the paper. Null if the study follows no
 * paper.
 */
export function statements({ plan: { reference, run, strategies } }: GameReport): Html | null {
  if (reference === null) return null;
  const { title, says, deviations } = reference;
  const hasBbr3 = strategies.some(strategy => strategy.title.includes('BBRv3'));
  return html`<p>${title}:</p>
<ul>${says.map(text => html`<li>${text}</li>`)}</ul>
<p class="note">${hasBbr3 ? "The paper's BBR is BBRv1, and BBRv3 plays here. " : ''}Otherwise here: windows of ${formatDuration(run.windowMs)} after ${formatDuration(run.leaveOutMs)} that are left
out${deviations === null ? '' : `; ${deviations}`}</p>`;
}
