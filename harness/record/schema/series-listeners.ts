/** Passes the records of a running trial to listeners. Each listener gets the records of one series. */
import type { Series } from './series.ts';

export class SeriesListeners {
  readonly #listeners = new Map<Series, ((record: object) => void)[]>();

  on<R extends object>(series: Series<R>, listener: (record: R) => void): this {
    const others = this.#listeners.get(series) ?? [];
    this.#listeners.set(series, [...others, listener as (record: object) => void]);
    return this;
  }

  /**
   * Passes a record to the listeners of its series. It is an arrow function, so that it can be passed on as the `write`
   * function of a trial.
   */
  readonly tell = (series: Series, record: object): void => {
    for (const listener of this.#listeners.get(series) ?? []) listener(record);
  };
}
