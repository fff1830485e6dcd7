/** Data dictionary, which describes the fields of all series, recorded and computed, for people and programs. */
import type { Quantity } from '../analysis/metrics/metric.ts';
import type { Field, OpenFields } from '../record/schema/fields.ts';
import { binnedFields } from './binned-series.ts';
import { applicationFields, trialFields, valueColumns } from './metrics-table.ts';
import type { AllSeries } from './series-table.ts';

type DictionaryTable = {
  id: string;
  title: string;
  pace: string;
  fields: (Field & { name: string })[];
  open: readonly OpenFields[];
};

const named = (fields: Readonly<Record<string, Field>>) =>
  Object.entries(fields).map(([name, field]) => ({ name, ...field }));

/**
 * Returns the tables of the dictionary: tables on the quantities, and a table on each series. `hops`: names of the
 * further bottlenecks of the run.
 */
export function dictionary(
  quantities: readonly Quantity[],
  series: AllSeries = {},
  hops: readonly string[] = [],
): DictionaryTable[] {
  const fieldsOf = (some: readonly Quantity[]) =>
    some.map(({ id, title, unit }) => ({ name: id, unit, type: 'number' as const, about: title }));
  return [
    {
      id: 'metrics',
      title: 'Metrics of every trial',
      pace: 'each try of a trial',
      fields: [
        ...named(trialFields),
        ...valueColumns(quantities, hops).map(({ column, title, unit }) => ({
          name: column,
          unit,
          type: 'number' as const,
          about: title,
        })),
      ],
      open: [],
    },
    {
      id: 'applications',
      title: 'Metrics of every application of the trials that count',
      pace: 'each application of a trial',
      fields: [...named(applicationFields), ...fieldsOf(quantities.filter(({ of }) => of === undefined))],
      open: [],
    },
    {
      id: 'binned',
      title: 'Series of every trial in bins, as the report draws them',
      pace: 'each bin',
      fields: named(binnedFields),
      open: [],
    },
    ...Object.entries(series).map(([id, { title, pace, fields, open }]) => ({
      id,
      title,
      pace,
      fields: named(fields),
      open,
    })),
  ];
}

const cell = (text: string) => text.replaceAll('|', '\\|');

function tableText({ id, title, pace, fields, open }: DictionaryTable): string {
  return [
    `## ${id}`,
    '',
    `${title}. One row: ${pace}.`,
    '',
    '| field | unit | type | what it is |',
    '|---|---|---|---|',
    ...fields.map(({ name, unit, type, about }) => `| ${name} | ${unit} | ${type} | ${cell(about)} |`),
    ...open.map(({ prefix, about }) => `| ${prefix}* | | | ${cell(about)} |`),
    '',
  ].join('\n');
}

/** Returns the dictionary as Markdown. */
export function dictionaryText(tables: readonly DictionaryTable[]): string {
  return [
    '# Data dictionary',
    '',
    'Times are ms since 1970 (UTC) on the clock of the harness, on which those of all processes have been brought; ' +
      'ms from the start of the measured window where a field says so.',
    'An empty cell (CSV) and null (Parquet) mean that there is no value. bit/s are bits. A ratio is 0 to 1.',
    '',
    ...tables.map(tableText),
  ].join('\n');
}
