/** Values of the last minute in columns, which the charts show. */
import type { DemoValues } from './wire.ts';

/** Time span that the charts show, s. */
export const reachS = 60;

/** A stall: a time without a new frame from `fromS` to `toS`, s of the harness's clock. */
type Stall = { fromS: number; toS: number };

export class History {
  readonly #values: DemoValues[] = [];
  #stalls: Stall[] = [];

  add(values: DemoValues): void {
    this.#values.push(values);
    const nowS = values.timeMs / 1000;
    while (this.#values[0]!.timeMs / 1000 < nowS - reachS) this.#values.shift();
    if (values.longestGapMs > values.stallMs) this.#stall({ fromS: nowS - values.longestGapMs / 1000, toS: nowS });
    this.#stalls = this.#stalls.filter(({ toS }) => toS > nowS - reachS);
  }

  get newest(): DemoValues | undefined {
    return this.#values.at(-1);
  }

  get stalls(): readonly Stall[] {
    return this.#stalls;
  }

  timesS(): number[] {
    return this.#values.map(({ timeMs }) => timeMs / 1000);
  }

  column(value: (values: DemoValues) => number | null): (number | null)[] {
    return this.#values.map(value);
  }

  /**
   * Adds a stall. The harness reports a stall again while it lasts, each time with a longer duration; the new report
   * replaces the earlier one.
   */
  #stall(stall: Stall): void {
    const last = this.#stalls.at(-1);
    if (last !== undefined && stall.fromS <= last.toS) last.toS = stall.toS;
    else this.#stalls.push(stall);
  }
}
