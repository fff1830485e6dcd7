/** Series of a record as tables, every time on the harness's clock. */
import type { Described } from '../record/schema/fields.ts';
import type { Series } from '../record/schema/series.ts';
import type { TrialRecord } from '../record/trial-record.ts';
import { type Table, tableOf } from './table.ts';

export type TableSeries = Pick<Series, 'title' | 'pace' | 'of'> &
  Described & {
    /** The rows of one application, or of a trial's link and machine. */
    rows(record: TrialRecord): Promise<readonly object[]>;
  };

/** By the name of the file without ".jsonl"; that of a computed one is its own. */
export type AllSeries = Readonly<Record<string, TableSeries>>;

/** Undefined where the trial has nothing of that series. */
export async function seriesTable(record: TrialRecord, { fields, rows }: TableSeries): Promise<Table | undefined> {
  const records = await rows(record);
  if (records.length === 0) return undefined;
  // fields that some records may have, of another controller or another kind of line, are columns only where one has
  // them
  const present = new Set<string>();
  for (const line of records) for (const key of Object.keys(line)) present.add(key);
  return tableOf(
    records,
    Object.fromEntries(Object.entries(fields).filter(([path]) => present.has(path.split('.')[0]!))),
  );
}
