/** Expectations of a case, with the bounds that hold after the definition's own. */
import { CoexistError } from '../../../core/errors.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import { formatDuration, formatRate, formatRatio } from '../../../core/text/units.ts';
import { limitOf } from '../../analysis/gate/threshold.ts';
import type { Quantity } from '../../analysis/metrics/metric.ts';
import { type Measure, measures } from './analysis/measures.ts';
import type { RunCase } from './case.ts';

/** Bounds in the unit of the measure; null without one. */
type Bounds = { atLeast: number | null; atMost: number | null };

export type Expectation = Bounds & {
  measure: string;
  /** Judged part of the window, ms. */
  fromMs: number;
  toMs: number;
  /** Quotation from the source of the case; null without one. */
  says: string | null;
};

/** Returns an expectation in words: "Lowest bandwidth estimate, 1 s to 10 s: at least 250 kbit/s". */
export function expectationWords({ measure: id, fromMs, toMs, atLeast, atMost }: Expectation): string {
  const { title, unit } = measureOf(id)!;
  const shown = (value: number) =>
    unit === 'ratio' ? formatRatio(value) : unit === 'bit/s' ? formatRate(value) : `${value} ${unit}`.trim();
  const bounds = [
    ...(atLeast === null ? [] : [`at least ${shown(atLeast)}`]),
    ...(atMost === null ? [] : [`at most ${shown(atMost)}`]),
  ];
  return `${title}, ${formatDuration(fromMs)} to ${formatDuration(toMs)}: ${bounds.join(', ')}`;
}

/** Values of a trial by measure. */
export type Values = Record<string, number | null>;

type WrittenBounds = { atLeast?: string | number | undefined; atMost?: string | number | undefined };

/** A measure as a quantity, which thresholds and claims can name. */
export const quantityOf = ({ id, title, unit, better }: Measure): Quantity => ({ id, title, unit, better, of: 'all' });

export const measureOf = (id: string): Measure | undefined => measures.find(measure => measure.id === id);

/** Throws `bad-definition` if a name in `written` is none of a measure. */
export function requireMeasures(written: Readonly<Record<string, unknown>>, where: string): void {
  const known = measures.map(({ id }) => id);
  const wrong = Object.keys(written).find(id => !known.includes(id));
  if (wrong !== undefined)
    throw unknownName('bad-definition', `${where}: there is no measure "${wrong}"`, wrong, known);
}

function boundsOf(measure: Measure, of: readonly WrittenBounds[], where: string): Bounds {
  const chosen = of.find(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined) ?? {};
  const limit = (bound: string | number | undefined) =>
    bound === undefined ? null : limitOf(bound, quantityOf(measure), where);
  const bounds = { atLeast: limit(chosen.atLeast), atMost: limit(chosen.atMost) };
  if (bounds.atLeast === null && bounds.atMost === null)
    throw new CoexistError('bad-definition', `${where}: has no bound`, { hint: 'give atLeast or atMost' });
  return bounds;
}

/**
 * Returns the expectations of a case. `own`: bounds of the definition, which come before those of the case and of the
 * measure. Throws `bad-definition` with the first mistake.
 */
export function expectationsOf(
  { id, window: windowMs, expects }: RunCase,
  own: Readonly<Record<string, WrittenBounds>>,
  where: string,
): Expectation[] {
  requireMeasures(expects, `${where}: case ${id}`);
  return Object.entries(expects).map(([name, { from = 0, to = windowMs, says, ...bounds }]) => {
    const measure = measureOf(name)!;
    const place = `${where}: case ${id}: expects.${name}`;
    if (to > windowMs || from >= windowMs)
      throw new CoexistError('bad-definition', `${place}: its span ends after the window`, {
        hint: `the window has ${windowMs / 1000} s`,
      });
    return {
      measure: name,
      fromMs: from,
      toMs: to,
      says: says ?? null,
      ...boundsOf(measure, [own[name] ?? {}, bounds, measure], place),
    };
  });
}
