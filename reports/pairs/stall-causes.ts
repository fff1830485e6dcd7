/** Describes the causes of a call's stalls beside one contender. */
import { counted } from '../../core/text/counted.ts';
import { causePrefix } from '../../core/vocabulary/pair-names.ts';
import type { SideSummary } from '../../harness/studies/pairs/summary.ts';
import { formatValue, quantityOf } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PairsReport } from './data.ts';

type CauseShare = { id: string; ratio: number };

/**
 * Returns the share of each cause in the stalled time of all trials together, largest first. `stalledTrials`: number of
 * trials with a stall. `n`: number of trials whose stalled time is known.
 */
export function causeShares({ trials }: Pick<SideSummary, 'trials'>): {
  causes: CauseShare[];
  n: number;
  stalledTrials: number;
} {
  const stalled = trials['stalled'] ?? [];
  const ids = Object.keys(trials).filter(id => id.startsWith(causePrefix));
  const all = stalled.reduce<number>((sum, ratio) => sum + (ratio ?? 0), 0);
  const causes = ids.map(id => ({
    id,
    ratio: stalled.reduce<number>((sum, ratio, k) => sum + (ratio ?? 0) * (trials[id]![k] ?? 0), 0) / all,
  }));
  return {
    causes: causes.filter(({ ratio }) => ratio > 0).sort((a, b) => b.ratio - a.ratio),
    n: stalled.filter(ratio => ratio !== null).length,
    stalledTrials: stalled.filter(ratio => ratio !== null && ratio > 0).length,
  };
}

export function causesHtml({ summary }: PairsReport, side: SideSummary): Html {
  const { causes, n, stalledTrials } = causeShares(side);
  if (n === 0) return html`\u2013`;
  if (causes.length === 0) return html`no stall<small>n = ${n}</small>`;
  const titleOf = (id: string) => quantityOf(summary.quantities, id).title.split(': ').at(-1)!;
  const said = causes.map(({ id, ratio }) => `${titleOf(id)} ${formatValue(ratio, 'ratio')}`).join(', ');
  return html`${said}<small>${stalledTrials} of ${counted(n, 'trial')} stalled</small>`;
}

export const causesSaid =
  ' Causes of stalls: shares of the stalled time of all trials together, without an interval, since the stalls of a ' +
  'trial are not independent. The cause of a stall is the part that added most to the latency of the frame that ' +
  'ended it; a sending browser does not report single frames, so the cause is then not known.';
