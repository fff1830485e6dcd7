/**
 * Thresholds of a plan, resolved: metric, conditions and bound in the metric's unit.
 *
 * A bound is written with the unit of its metric, so that the unit is never guessed: a duration for times, a rate for
 * rates, a percentage for ratios, "55fps" for frames per second, and a bare number for everything else.
 */

import { CoexistError } from '../../../core/errors.ts';
import { check } from '../../../core/schema/schema.ts';
import { leastForInterval } from '../../../core/stats/median-interval.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import { parseDurationMs, parseRateBps, parseRatio } from '../../../core/text/units.ts';
import { conditionsMeant } from '../../../core/vocabulary/condition-name.ts';
import { furtherPlaces, isOfPlace } from '../../../core/vocabulary/hops.ts';
import { allOthers, type ValueName } from '../../../core/vocabulary/subject.ts';
import { thresholdsSchema } from '../../definition/threshold.ts';
import type { Quantity } from '../metrics/metric.ts';
import type { Gated, GatedCondition } from './gated.ts';

export type Threshold = ValueName & {
  /** Ids of the conditions that the threshold judges. */
  conditions: string[];
  bound: 'atMost' | 'atLeast';
  /** Bound in the metric's unit. */
  limit: number;
  judge: 'median' | 'interval' | 'every';
};

/** Syntax of the bounds for each unit of metrics. Bounds in other units are bare numbers. */
const written: Record<string, { example: string; parse(text: string): number | undefined }> = {
  s: { example: '2s', parse: text => scaled(parseDurationMs(text), 1e-3) },
  ms: { example: '300ms', parse: parseDurationMs },
  'bit/s': { example: '5mbit', parse: parseRateBps },
  ratio: { example: '2%', parse: parseRatio },
  '1/s': { example: '55fps', parse: text => scaled(/^(\d+(?:\.\d+)?)\s*fps$/.exec(text.trim())?.[1], 1) },
};

function scaled(value: number | string | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : Number(value) * factor;
}

/**
 * Returns a bound in the quantity's unit. `where`: start of the error message. Throws `bad-definition` if the bound is
 * not written in that unit.
 */
export function limitOf(bound: string | number, { id, unit }: Quantity, where: string): number {
  const form = Object.hasOwn(written, unit) ? written[unit] : undefined;
  if (form === undefined) {
    if (typeof bound === 'number') return bound;
    throw new CoexistError(
      'bad-definition',
      `${where}: ${JSON.stringify(bound)} is no bound for ${id}; write a number${unit === '' ? '' : ` (${unit})`}`,
    );
  }
  const value = typeof bound === 'string' ? form.parse(bound) : undefined;
  if (value === undefined)
    throw new CoexistError(
      'bad-definition',
      `${where}: ${JSON.stringify(bound)} is no bound for ${id}; write it like "${form.example}"`,
    );
  return value;
}

/** Smallest number of trials from which a 95 % interval can be computed. */
export const leastTrials = leastForInterval();

/** Document that lists all metrics. */
export const metricsListedIn = 'docs/reading-results.md#metrics';

function unknown(where: string, kind: string, name: string, known: readonly string[], more = ''): CoexistError {
  const what = `${where}: there is no ${kind} "${name}"`;
  return unknownName('bad-definition', what, name, known, {
    more,
    ...(kind === 'metric' ? { listedIn: metricsListedIn } : {}),
  });
}

type Applied = Pick<GatedCondition, 'applications' | 'subject' | 'link'>;

/** True if a condition has the applications, or the bottleneck, that a value is of. */
const hasPart = ({ applications, subject, link }: Applied, of: string | undefined) =>
  of === undefined ||
  isPlace(link, of) ||
  applications.some(({ name }) => (of === allOthers ? name !== subject : name === of));

const isPlace = (link: Applied['link'], of: string) =>
  link !== undefined && furtherPlaces(link).some(({ name }) => name === of);

/**
 * Returns the quantity of a value that a definition names. `where`: start of the error message. `more`: end of it.
 * Throws `bad-definition` if there is no such metric, or if the metric has no value of what `of` names.
 */
export function namedQuantity(
  { metric, of }: ValueName,
  quantities: readonly Quantity[],
  conditions: readonly Applied[],
  where: string,
  more?: string,
): Quantity {
  const quantity = quantities.find(({ id }) => id === metric);
  if (quantity === undefined)
    throw unknown(
      where,
      'metric',
      metric,
      quantities.map(({ id }) => id),
      more,
    );
  const names = new Set(conditions.flatMap(({ applications }) => applications.map(({ name }) => name)));
  if (of === undefined && quantity.of === undefined && conditions.every(({ subject }) => subject === null))
    throw new CoexistError('bad-definition', `${where}: ${metric} is of an application; name it by "of"`, {
      hint: `known: ${[...names].join(', ')}`,
    });
  if (of === undefined) return quantity;
  if (conditions.some(({ link }) => isPlace(link, of))) {
    if (isOfPlace(quantity, of)) return quantity;
    throw new CoexistError('bad-definition', `${where}: ${metric} has no value of "${of}"; leave "of" out`);
  }
  if (of !== allOthers && !names.has(of)) throw unknown(where, 'application', of, [...names, allOthers], more);
  if (quantity.of !== undefined || (of === allOthers && quantity.together !== true))
    throw new CoexistError(
      'bad-definition',
      quantity.of === undefined
        ? `${where}: ${metric} has no value of the others together; name an application`
        : `${where}: ${metric} is not of an application; leave "of" out`,
    );
  return quantity;
}

/**
 * Resolves all thresholds of a plan. Throws `bad-definition`, which names the first threshold that refers to something
 * that does not exist.
 */
export function resolveThresholds(
  { study, definition, conditions }: Omit<Gated, 'quantities'>,
  quantities: readonly Quantity[],
): Threshold[] {
  return check(thresholdsSchema, definition.require, `${study}: require`).map(
    ({ metric, of, condition, atMost, atLeast, judge }, i) => {
      const where = `${study}: require.${i}`;
      const quantity = namedQuantity({ metric, of }, quantities, conditions, where);
      const known = [...new Set([...conditions.flatMap(({ name }) => name ?? []), ...conditions.map(({ id }) => id)])];
      const meant =
        condition === undefined
          ? conditions.filter(one => one.isOnlyNamed !== true && hasPart(one, of))
          : conditionsMeant(condition, conditions).filter(one => one.id === condition || hasPart(one, of));
      if (condition !== undefined && meant.length === 0) throw unknown(where, 'condition', condition, known);
      const bound = atMost === undefined ? 'atLeast' : 'atMost';
      return {
        metric,
        ...(of === undefined ? {} : { of }),
        conditions: meant.map(({ id }) => id),
        bound,
        limit: limitOf((atMost ?? atLeast)!, quantity, where),
        judge,
      };
    },
  );
}

/**
 * Throws `bad-definition` if a threshold judges an interval and the plan has too few trials for an interval, since such
 * a threshold would always be missed. `mostOf`: largest number of trials of a condition; without it all have
 * `run.repeats`.
 */
export function requireTrialsToJudge(
  { study, run }: { study: string; run: { repeats: number } },
  thresholds: readonly Threshold[],
  mostOf: (condition: string) => number = () => run.repeats,
): void {
  for (const [i, { judge, conditions }] of thresholds.entries()) {
    const most = Math.min(...conditions.map(mostOf));
    if (judge !== 'interval' || most >= leastTrials) continue;
    throw new CoexistError(
      'bad-definition',
      `${study}: require.${i}: judge: "interval" needs a 95 % interval, which takes ${leastTrials} trials of each ` +
        `condition, and the plan has ${most}`,
      { hint: `give --repeats ${leastTrials}, or judge: "median"` },
    );
  }
}
