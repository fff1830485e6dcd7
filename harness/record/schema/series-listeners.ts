/** Passes records of a trial on as they come, by their series. */
import type { Series } from './series.ts';

export class SeriesListeners {
  readonly #listeners = new Map<Series, ((record: object) => void)[]>();

  on<R extends object>(series: Series<R>, listener: (record: R) => void): this {
    const others = this.#listeners.get(series) ?? [];
    this.#listeners.set(series, [...others, listener as (record: object) => void]);
    return this;
  }

  /** Bound: it can be given on as the `write` of a trial. */
  readonly tell = (series: Series, record: object): void => {
    for (const listener of this.#listeners.get(series) ?? []) listener(record);
  };
}
