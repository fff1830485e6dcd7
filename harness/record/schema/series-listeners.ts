/** Passes records of a trial to listeners as they arrive, by series. */
import type { Series } from './series.ts';

export class SeriesListeners {
  readonly #listeners = new Map<Series, ((record: object) => void)[]>();

  on<R extends object>(series: Series<R>, listener: (record: R) => void): this {
    const others = this.#listeners.get(series) ?? [];
    this.#listeners.set(series, [...others, listener as (record: object) => void]);
    return this;
  }

  /** Passes a record to its listeners. It is bound, so it can be the `write` of a trial. */
  readonly tell = (series: Series, record: object): void => {
    for (const listener of this.#listeners.get(series) ?? []) listener(record);
  };
}
