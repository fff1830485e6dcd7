/** Series of a record as tables, with all times on the harness's clock. */
import type { Described } from '../record/schema/fields.ts';
import type { Series } from '../record/schema/series.ts';
import type { TrialRecord } from '../record/trial-record.ts';
import { type Table, tableOf } from './table.ts';

export type TableSeries = Pick<Series, 'title' | 'pace' | 'of'> &
  Described & {
    /** Returns the rows of one application, or the rows of a trial's link and machine. */
    rows(record: TrialRecord): Promise<readonly object[]>;
  };

/** All series, each by its file name without ".jsonl", or by its name if it is computed. */
export type AllSeries = Readonly<Record<string, TableSeries>>;

/** Returns a series of a record as a table; undefined if the trial has no rows of the series. */
export async function seriesTable(record: TrialRecord, { fields, rows }: TableSeries): Promise<Table | undefined> {
  const records = await rows(record);
  if (records.length === 0) return undefined;
  // optional fields (of other controllers, or of other kinds of line) become columns only if a record has them
  const present = new Set<string>();
  for (const line of records) for (const key of Object.keys(line)) present.add(key);
  return tableOf(
    records,
    Object.fromEntries(Object.entries(fields).filter(([path]) => present.has(path.split('.')[0]!))),
  );
}
