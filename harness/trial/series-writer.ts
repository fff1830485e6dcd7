/** Writes the series of a trial, or of an application, into its folder. */
import { join } from 'node:path';
import { JsonlWriter } from '../../core/system/jsonl.ts';
import type { Series } from '../record/schema/series.ts';
import type { SeriesListeners } from '../record/schema/series-listeners.ts';

/**
 * Writes records into one file for each series. A file is created with its first record, so an empty series has none.
 */
export class SeriesWriter {
  readonly #directory: string | null;
  readonly #listeners: SeriesListeners | undefined;
  readonly #writers = new Map<Series, JsonlWriter>();
  readonly #counts = new Map<Series, number>();

  /** `directory`: folder of the files; null: nothing is kept. `listeners` get every record in both cases. */
  constructor(directory: string | null, listeners?: SeriesListeners) {
    this.#directory = directory;
    this.#listeners = listeners;
  }

  get isKept(): boolean {
    return this.#directory !== null;
  }

  write<R extends object>(series: Series<R>, record: R): void {
    this.#listeners?.tell(series, record);
    if (this.#directory === null) return;
    let writer = this.#writers.get(series);
    if (writer === undefined) this.#writers.set(series, (writer = new JsonlWriter(join(this.#directory, series.file))));
    writer.write(record);
    this.#counts.set(series, this.count(series) + 1);
  }

  count(series: Series): number {
    return this.#counts.get(series) ?? 0;
  }

  async close(): Promise<void> {
    const results = await Promise.allSettled([...this.#writers.values()].map(writer => writer.close()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
