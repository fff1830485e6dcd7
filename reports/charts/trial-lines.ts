/**
 * Makes a line of a series chart from the trials of a condition: the median over the trials, with their range as a
 * band.
 */
import { overlay } from '../../core/stats/binned.ts';
import type { ChartLine } from './series-chart.ts';

const rounded = (values: (number | null)[]) =>
  values.map(value => (value === null ? null : Number(value.toPrecision(6))));

export function trialLine(
  { label, isDisturbed = false }: { label: string; isDisturbed?: boolean },
  colour: number,
  trials: readonly (readonly (number | null)[])[],
  stepped = false,
): ChartLine {
  const { median, low, high } = overlay(trials);
  return {
    label,
    colour,
    values: rounded(median),
    stepped,
    ...(isDisturbed ? { dashed: true } : {}),
    ...(trials.length > 1 ? { band: { low: rounded(low), high: rounded(high) } } : {}),
  };
}

/**
 * Returns a sentence that explains the lines of a figure: the median over trials with their range, or a single trial.
 */
export function lineCaption(trials: number): string {
  return trials > 1 ? 'Lines: median over trials; bands: their range.' : 'Lines: the one trial; there is no interval.';
}
