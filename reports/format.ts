/** Formats numbers for readers, and converts the units of the summary to the units that readers see. */

import { trimmed } from '../core/text/units.ts';
import type { Estimate } from '../core/vocabulary/estimate.ts';
import type { Quantity } from '../harness/analysis/metrics/metric.ts';

/**
 * Unit that readers see. `factor` converts to it. `digits`: usual number of decimal places. `most`: maximum number of
 * decimal places, since a trial of some seconds is not more precise.
 */
type Shown = { factor: number; unit: string; digits: number; most: number };

function shownAs(unit: string): Shown {
  switch (unit) {
    case 'bit/s':
      return { factor: 1e-6, unit: 'Mbit/s', digits: 2, most: 3 };
    case 'ms':
      return { factor: 1, unit: 'ms', digits: 1, most: 3 };
    case 's':
      return { factor: 1, unit: 's', digits: 2, most: 3 };
    case '1/s':
      return { factor: 1, unit: 'fps', digits: 1, most: 3 };
    case '1/min':
      return { factor: 1, unit: 'a minute', digits: 1, most: 2 };
    case 'px':
      return { factor: 1, unit: 'px', digits: 0, most: 1 };
    case 'ratio':
      return { factor: 100, unit: '%', digits: 1, most: 4 };
    case 'bytes':
      return { factor: 1e-3, unit: 'kB', digits: 1, most: 3 };
    case 'cores':
      return { factor: 100, unit: '% of a core', digits: 0, most: 1 };
    default:
      return { factor: 1, unit, digits: 2, most: 6 };
  }
}

/** Replaces the hyphen by a minus sign. If the number is rounded to zero, the sign is removed. */
const minus = (text: string) => (/[1-9]/.test(text) ? text.replace('-', '\u2212') : text.replace('-', ''));

/**
 * Returns the number of decimal places for numbers that are shown together. It is the usual number of the unit, or a
 * larger one (up to `most`) if all numbers are small. Undefined for a single small number, which gets up to `most`
 * decimal places.
 */
function digitsFor(values: readonly number[], unit: string): number | undefined {
  const { factor, digits, most } = shownAs(unit);
  if (unit === '' && values.every(Number.isInteger)) return 0;
  const largest = Math.max(...values.map(value => Math.abs(value * factor)));
  if (largest >= 1000) return 0;
  if (largest === 0 || largest >= 0.1) return digits;
  if (largest < 0.5 * 10 ** -most) return digits; // rounds to 0 at the resolution of the metric
  return values.length === 1 ? undefined : Math.min(most, 1 - Math.floor(Math.log10(largest)));
}

/**
 * Formats a number in the unit that readers see, without the name of the unit. `beside`: numbers that are shown next to
 * it; all of them get the same number of decimal places.
 */
export function formatNumber(value: number, unit: string, beside: readonly number[] = []): string {
  const scaled = value * shownAs(unit).factor;
  const digits = digitsFor([value, ...beside], unit);
  return minus(digits === undefined ? trimmed(Number(scaled.toFixed(shownAs(unit).most))) : scaled.toFixed(digits));
}

export function shownUnit(unit: string): string {
  return shownAs(unit).unit;
}

export function scaleToShown(value: number, unit: string): number {
  return value * shownAs(unit).factor;
}

const known = (values: readonly (number | null)[]) => values.filter(value => value !== null);

/** Formats a value with its unit: "59.9 fps". `beside`: bounds of the value's interval. */
export function formatValue(value: number | null, unit: string, beside: readonly (number | null)[] = []): string {
  if (value === null) return '\u2013';
  const shown = shownUnit(unit);
  return `${formatNumber(value, unit, known(beside))}${shown === '' ? '' : ` ${shown}`}`;
}

/**
 * Value with the bounds of its interval. The bounds are null if the value has no interval. `n`: number of trials, if
 * it is known.
 */
type WithBounds = Pick<Estimate, 'value' | 'low' | 'high'> & { n?: number };

/** Returns both values if there are exactly two: the ends of their range. Null otherwise. */
const bothOf = ({ low, high, n }: WithBounds): [number, number] | null =>
  n === 2 && low !== null && high !== null ? [low, high] : null;

const withSign = (value: number, text: string) => (value > 0 && /[1-9]/.test(text) ? `+${text}` : text);

/** Formats two values, "57.6 and 58.1 fps". */
function formatBoth([low, high]: [number, number], unit: string, isSigned: boolean): string {
  const texts = [low, high].map(value => {
    const text = formatNumber(value, unit, [low, high]);
    return isSigned ? withSign(value, text) : text;
  });
  const shown = shownUnit(unit);
  return `${texts.join(' and ')}${shown === '' ? '' : ` ${shown}`}`;
}

/** Formats a median with the same number of decimal places as its interval. Of two trials it gives both values. */
export function formatMedian(value: WithBounds, unit: string): string {
  const both = bothOf(value);
  return both === null ? formatValue(value.value, unit, [value.low, value.high]) : formatBoth(both, unit, false);
}

/**
 * Formats a change with the same number of decimal places as its interval. A positive change that is not rounded to
 * zero gets a plus sign. Of two pairs of trials it gives both changes.
 */
export function formatChange(change: WithBounds, unit: string): string {
  const both = bothOf(change);
  return both === null ? withSign(change.value ?? 0, formatMedian(change, unit)) : formatBoth(both, unit, true);
}

/** Formats a change with its interval: "+1.2 ms [0.8, 1.5]". */
export const formatChangeWithInterval = (change: WithBounds, unit: string): string =>
  `${formatChange(change, unit)} ${formatInterval(change, unit)}`.trimEnd();

/**
 * Formats the interval of a value: "[59.8, 60.0]". Empty if the value has no interval. Two values are no interval, but
 * all that is known.
 */
export function formatInterval(bounded: WithBounds, unit: string): string {
  const { value, low, high } = bounded;
  if (low === null || high === null || bothOf(bounded) !== null) return '';
  return `[${[low, high].map(bound => formatNumber(bound, unit, known([value, low, high]))).join(', ')}]`;
}

/** Formats the coverage of an interval, rounded down: "99.2 %". */
const coverageText = (confidence: number) => `${Math.floor(confidence * 1000) / 10} %`;

/** Maximum number of items that a text lists by name. */
export const mostNamed = 4;

/** Describes n and coverage of a metric that has fewer trials than its condition: "n = 4, brackets 87.5 %". */
export const ownCoverage = ({ n, confidence }: { n: number; confidence: number }) =>
  `n = ${n}, brackets ${coverageText(confidence)}`;

/** Describes the brackets: "95 % interval of the median", or "range" if there are few trials. Two trials have none. */
export function intervalName(n: number, confidence: number | null): string {
  if (n === 0) return 'no valid trial';
  if (n < 2 || confidence === null) return 'one trial: no interval';
  if (n === 2) return 'two trials: both values';
  if (confidence >= 0.95) return `brackets: ${coverageText(confidence)} interval of the median`;
  const coverage = coverageText(confidence);
  return `brackets: range of the trials, which covers the median with ${coverage} (a 95 % interval needs six trials)`;
}

export function quantityOf(quantities: readonly Quantity[], id: string): Quantity {
  const quantity = quantities.find(q => q.id === id);
  if (quantity === undefined) throw new Error(`there is no metric "${id}"`);
  return quantity;
}

/** Formats a time, Unix ms, to the minute: "2026-11-20 10:39 UTC". */
export const minute = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
