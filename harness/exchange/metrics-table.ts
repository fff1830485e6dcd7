/**
 * Table with one row for each try of each trial (condition, verdict, metrics), and table with one row for each
 * application of each valid trial.
 */

import { isOfPlace } from '../../core/vocabulary/hops.ts';
import { allOthers, type ValueName } from '../../core/vocabulary/subject.ts';
import type { Quantity } from '../analysis/metrics/metric.ts';
import type { Summary } from '../analysis/summary/summary.ts';
import type { Condition } from '../definition/conditions.ts';
import { count, fieldsOf, flag, text, time } from '../record/schema/fields.ts';
import type { Phases } from '../record/trial-file.ts';
import { type Table, tableOf } from './table.ts';

/** Measured window of each try, by the name of the try's folder; null or missing if the try was not measured. */
type Windows = ReadonlyMap<string, Pick<Phases, 'windowStartMs' | 'windowEndMs'> | null>;

const windowFields = {
  windowStartMs: time('start of the measured window: subtract it from the times of a series'),
  windowEndMs: time('end of the measured window'),
};

const windowOf = (windows: Windows, trial: string) => ({
  windowStartMs: windows.get(trial)?.windowStartMs ?? null,
  windowEndMs: windows.get(trial)?.windowEndMs ?? null,
});

export const trialFields = fieldsOf({
  trial: text('name of its folder; ".voidN" marks a try that does not count'),
  condition: text('short name of the condition'),
  title: text("the condition's title"),
  repeat: count('repeat, from 1: the trials of one repeat have the same random losses'),
  attempt: count('which try it was, from 1'),
  verdict: text('valid, degraded (disturbed, but counts) or invalid (has no metrics, but see notForPublication)'),
  notForPublication: flag(
    'true: the least disturbed try of a condition without a valid trial. It is void, and has metrics so that the ' +
      'condition shows something. Leave it out of statistics.',
  ),
  reasons: text('what disturbed it or went wrong'),
  flood: text('what the flood really was'),
  machine: text('name of the machine that ran it'),
  ...windowFields,
});

/** Column of the table of trials: a quantity of the subject and the link, or of the other applications together. */
type ValueColumn = ValueName & { column: string; title: string; unit: string };

/**
 * Returns the columns with values of the table of trials. Those of the others together begin with "others.", those of a
 * bottleneck but the first with its name. `hops`: names of all these bottlenecks.
 */
export function valueColumns(quantities: readonly Quantity[], hops: readonly string[] = []): ValueColumn[] {
  return [
    ...quantities.map(({ id, title, unit }) => ({ column: id, metric: id, title, unit })),
    ...quantities
      .filter(({ together }) => together === true)
      .map(({ id, title, unit }) => ({
        column: `${allOthers}.${id}`,
        metric: id,
        of: allOthers,
        title: `${title}, of all other applications together`,
        unit,
      })),
    ...hops.flatMap(hop =>
      quantities
        .filter(quantity => isOfPlace(quantity, hop))
        .map(({ id, title, unit }) => ({
          column: `${hop}.${id}`,
          metric: id,
          of: hop,
          title: `${title}, at ${hop}`,
          unit,
        })),
    ),
  ];
}

/** Returns the names of all bottlenecks but the first of all conditions. */
export const hopsIn = (conditions: Summary['conditions']): string[] => [
  ...new Set(conditions.flatMap(({ hops = {} }) => Object.keys(hops))),
];

export function metricsTable(
  { trials, conditions, quantities }: Pick<Summary, 'trials' | 'conditions' | 'quantities'>,
  windows: Windows,
): Table {
  const disturbed = new Map(
    conditions.flatMap(({ disturbed: own }) => (own === null ? [] : [[own.name, own] as const])),
  );
  const columns = valueColumns(quantities, hopsIn(conditions));
  const rows = trials.map(
    ({ name, condition, repeat, attempt, verdict, flood, machine, metrics, together, hops, problems }) => ({
      trial: name,
      condition,
      title: conditions.find(({ id }) => id === condition)?.title ?? condition,
      repeat,
      attempt,
      verdict: verdict.status,
      notForPublication: disturbed.has(name),
      reasons: [...verdict.findings.map(({ message }) => message), ...problems].join('; ') || null,
      flood,
      machine,
      ...windowOf(windows, name),
      ...Object.fromEntries(
        columns.map(({ column, metric, of }) => {
          const shown = disturbed.get(name) ?? { metrics, together, ...(hops === undefined ? {} : { hops }) };
          const values =
            of === undefined ? shown.metrics : of === allOthers ? shown.together : (shown.hops?.[of] ?? null);
          return [column, values?.[metric] ?? null];
        }),
      ),
    }),
  );
  return tableOf(rows, {
    ...trialFields,
    ...Object.fromEntries(columns.map(({ column, unit }) => [column, { unit, type: 'number' as const }])),
  });
}

export const applicationFields = fieldsOf({
  trial: text('name of its folder'),
  condition: text('short name of the condition'),
  repeat: count('repeat, from 1'),
  application: text('its name in the study'),
  service: text('id of the service'),
  direction: text('"down": its server is on the left, and sends through link; "up": on the right, through link.up'),
  ...windowFields,
});

/**
 * Returns the table of applications. It has the quantities that are defined for each application, for the subject and
 * for the others.
 */
export function applicationsTable(
  { trials, quantities }: Pick<Summary, 'trials' | 'quantities'>,
  conditions: readonly Condition[],
  windows: Windows,
): Table {
  const own = quantities.filter(({ of }) => of === undefined);
  const rows = trials.flatMap(({ name, condition, repeat, metrics, others }) => {
    const of = conditions.find(({ id }) => id === condition);
    if (of === undefined || metrics === null) return [];
    return of.applications.map(({ name: application, service, direction }) => {
      const values = application === of.subject ? metrics : others?.[application];
      return {
        trial: name,
        condition,
        repeat,
        application,
        service: service.id,
        direction,
        ...windowOf(windows, name),
        ...Object.fromEntries(own.map(({ id }) => [id, values?.[id] ?? null])),
      };
    });
  });
  return tableOf(rows, {
    ...applicationFields,
    ...Object.fromEntries(own.map(({ id, unit }) => [id, { unit, type: 'number' as const }])),
  });
}
