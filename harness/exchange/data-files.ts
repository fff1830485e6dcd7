/**
 * Data of a report as files: metrics of all trials, their series in bins, and a dictionary that describes the columns.
 */
import type { Summary } from '../analysis/summary/summary.ts';
import { binnedTable } from './binned-series.ts';
import { csvText } from './csv.ts';
import { dictionary, dictionaryText } from './dictionary.ts';
import { hopsIn, metricsTable } from './metrics-table.ts';
import { parquetBytes } from './parquet.ts';
import type { Table } from './table.ts';
import type { TrialDetail } from './trial-details.ts';

/** File for the user to download. `type`: media type. */
export type DataFile = { title: string; name: string; type: string; content: string | Uint8Array };

/** Returns the files; empty if the summary has no tries. */
export function dataFiles(study: string, summary: Summary, details: readonly TrialDetail[]): DataFile[] {
  if (details.length === 0) return [];
  const binned = details.map(({ name, file, binned: series }) => ({
    trial: name,
    condition: file.condition.id,
    repeat: file.trial.repeat,
    binned: series,
  }));
  const windows = new Map(details.map(({ name, file }) => [name, file.phases]));
  const ofTable = (title: string, name: string, table: Table): DataFile[] => [
    { title, name: `${study}-${name}.csv`, type: 'text/csv', content: csvText(table) },
    {
      title: 'the same',
      name: `${study}-${name}.parquet`,
      type: 'application/vnd.apache.parquet',
      content: parquetBytes(table),
    },
  ];
  const tables = dictionary(summary.quantities, {}, hopsIn(summary.conditions)).filter(
    ({ id }) => id === 'metrics' || id === 'binned',
  );
  return [
    ...ofTable('Metrics of every trial', 'metrics', metricsTable(summary, windows)),
    ...ofTable('Series of every trial in bins', 'binned', binnedTable(binned)),
    {
      title: 'What the columns mean',
      name: `${study}-data-dictionary.md`,
      type: 'text/markdown',
      content: dictionaryText(tables),
    },
  ];
}
