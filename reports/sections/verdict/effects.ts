/**
 * What a condition did to the viewer, in words. A change is stated where the pairs of trials bear it out: at least six of them, a p below 0.05 after the
 * correction for all headline tests of the study, and an interval without 0. Everything else is a number without a claim, with the smallest change that
 * so many pairs would have shown: what is not shown may still be there.
 */
import { significance } from '../../../core/stats/false-discovery.ts';
import { fewestPairs } from '../../../core/stats/signed-rank.ts';
import type { Comparison, PairedTest } from '../../../harness/summary/summary.ts';
import { formatValue, quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ReportData } from '../../report.ts';
import { said } from './said.ts';

/** Pairs from which on a p value can be small. */
const fewest = fewestPairs(significance);

type Effect = { id: string; name: string; more: string; less: string };

const pictures = { name: 'frame rate', more: 'more pictures', less: 'fewer pictures' };

/** What a condition may have changed for the viewer, and how that is called. */
const effects: readonly Effect[] = [
  { id: 'stall-time', name: 'stalled time', more: 'more stalled time', less: 'less stalled time' },
  { id: 'frame-rate', ...pictures },
  { id: 'media-goodput', name: 'bitrate', more: 'a higher bitrate', less: 'a lower bitrate' },
  { id: 'frame-latency-p95', name: 'frame latency (95th percentile)', more: 'later pictures (95th percentile)', less: 'earlier pictures (95th percentile)' },
];

type Judged = Effect & { test: PairedTest; unit: string };

const signed = ({ test: { shift }, unit }: Judged) => `${(shift.value ?? 0) > 0 ? '+' : ''}${said(shift, unit)}`;

/** Whether the pairs bear out a change. */
export function isChange({ pairs, correctedP, shift }: PairedTest): boolean {
  return pairs >= fewest && correctedP !== null && correctedP < significance && shift.low !== null && (shift.low > 0 || shift.high! < 0);
}

/** A number that claims nothing, with what the pairs could have shown. */
function unclaimed(judged: Judged): string {
  const { name, unit, test: { changed, pairs, smallestShown } } = judged;
  if (changed === 0) return `${name} (the same in every pair)`;
  if (pairs < fewest) return `${name} ${signed(judged)}`;
  return `${name} ${signed(judged)}${smallestShown === null ? '' : `, where ${formatValue(smallestShown, unit)} would have been shown`}`;
}

/** Why one change alone cannot be shown by so many pairs, or null where it can. */
function blindness(quiet: readonly Judged[]): string | null {
  const blind = quiet.filter(({ test: { changed, smallestShown } }) => changed > 0 && smallestShown === null);
  if (blind.length === 0) return null;
  const { pairs, among } = blind[0]!.test;
  return among <= 1 ? `Of ${pairs} pairs too few differ to show a change.` : `One change alone among ${among} tests takes ${fewestPairs(significance / among)} pairs to be shown, however large it is; here are ${pairs}.`;
}

/** Of a condition against its baseline. */
export function effectsSaid({ baseline, tests }: Comparison, { summary }: ReportData): Html {
  const { title } = summary.conditions.find(({ id }) => id === baseline)!;
  const judged = effects.flatMap(effect => {
    // where nothing tells of the pictures that were shown, those that were decoded
    const id = effect.id === 'frame-rate' && tests[effect.id]!.pairs === 0 ? 'decoded-frame-rate' : effect.id;
    const test = tests[id]!;
    return test.pairs === 0 ? [] : [{ ...effect, id, test, unit: quantityOf(summary.quantities, id).unit }];
  });
  const pairs = Math.max(0, ...judged.map(({ test }) => test.pairs));
  if (pairs < 2) return html`Against ${title} there ${pairs === 1 ? 'is one pair of trials: no interval, so nothing is claimed' : 'is no pair of trials'}.`;
  if (pairs < fewest) return html`Against ${title}, ${pairs} pairs of trials, which cannot tell a change from chance (that takes ${fewest}), so nothing is claimed. Differences, with their range: ${judged.map(unclaimed).join(', ')}.`;
  const [changed, quiet] = [judged.filter(({ test }) => isChange(test)), judged.filter(({ test }) => !isChange(test))];
  const claims = changed.length === 0 ? null : html`Against ${title}: ${changed.map(one => `${one.test.shift.value! > 0 ? one.more : one.less} (${said(one.test.shift, one.unit)})`).join(', ')}; paired differences, n = ${pairs}. `;
  const rest = quiet.length === 0 ? null : html`${claims === null ? `Against ${title}, ${pairs} pairs of trials: no` : 'No'} difference beyond chance in ${quiet.map(unclaimed).join('; ')}.`;
  const blind = blindness(quiet);
  return html`${claims}${rest}${blind === null ? null : ` ${blind}`}`;
}
