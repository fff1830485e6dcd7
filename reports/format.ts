/** Numbers as a reader wants them, from the units that the summary holds. */
import { formatDuration, trimmed } from '../core/units.ts';
import type { Quantity } from '../harness/metrics/metric.ts';
import type { SummaryValue } from '../harness/summary/summary.ts';

type Shown = { factor: number; unit: string; digits: number };

/** How a unit is shown. */
function shownAs(unit: string): Shown {
  switch (unit) {
    case 'bit/s':
      return { factor: 1e-6, unit: 'Mbit/s', digits: 2 };
    case 'ms':
      return { factor: 1, unit: 'ms', digits: 1 };
    case 's':
      return { factor: 1, unit: 's', digits: 2 };
    case '1/s':
      return { factor: 1, unit: 'fps', digits: 1 };
    case '1/min':
      return { factor: 1, unit: 'a minute', digits: 1 };
    case 'px':
      return { factor: 1, unit: 'px', digits: 0 };
    case 'ratio':
      return { factor: 100, unit: '%', digits: 1 };
    case 'bytes':
      return { factor: 1e-3, unit: 'kB', digits: 1 };
    case 'cores':
      return { factor: 100, unit: '% of a core', digits: 0 };
    default:
      return { factor: 1, unit, digits: 2 };
  }
}

/** With a minus sign; what rounds to zero has none. */
const minus = (text: string) => (/[1-9]/.test(text) ? text.replace('-', '\u2212') : text.replace('-', ''));

/** A bare number in the shown unit. */
export function formatNumber(value: number, unit: string): string {
  const { factor, digits } = shownAs(unit);
  const scaled = value * factor;
  if (unit === '' && Number.isInteger(value)) return minus(String(value));
  return minus(
    Math.abs(scaled) >= 1000
      ? scaled.toFixed(0)
      : Math.abs(scaled) > 0 && Math.abs(scaled) < 0.1
        ? trimmed(scaled)
        : scaled.toFixed(digits),
  );
}

export function shownUnit(unit: string): string {
  return shownAs(unit).unit;
}

/** A number in the shown unit, for charts. */
export function scaleToShown(value: number, unit: string): number {
  return value * shownAs(unit).factor;
}

/** "59.9 fps". */
export function formatValue(value: number | null, unit: string): string {
  if (value === null) return '\u2013';
  const shown = shownUnit(unit);
  return `${formatNumber(value, unit)}${shown === '' ? '' : ` ${shown}`}`;
}

/** "[59.8, 60.0]", or nothing where there is no interval. */
export function formatInterval({ low, high }: SummaryValue, unit: string): string {
  return low === null || high === null ? '' : `[${formatNumber(low, unit)}, ${formatNumber(high, unit)}]`;
}

/** What the brackets are: "95 % interval of the median" or, for few trials, "range". */
export function intervalName(n: number, confidence: number | null): string {
  if (n < 2 || confidence === null) return 'one trial: no interval';
  if (confidence >= 0.95) return `brackets: ${Math.floor(confidence * 1000) / 10} % interval of the median`;
  return `brackets: range of the trials, which covers the median with ${Math.round(confidence * 100)} % (a 95 % interval needs six trials)`;
}

export function quantityOf(quantities: readonly Quantity[], id: string): Quantity {
  const quantity = quantities.find(q => q.id === id);
  if (quantity === undefined) throw new Error(`there is no metric "${id}"`);
  return quantity;
}

export { formatDuration };
