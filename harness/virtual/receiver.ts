/**
 * The receiver's side of transport-wide feedback: a report every 62 ms over everything that is new, in
 * steps of 0.25 ms of a clock of its own (draft-holmer-rmcat-transport-wide-cc-extensions-01).
 */

/** Interval of the reports of Chromium's receivers when they send no media themselves, ms. */
export const reportIntervalMs = 62;
/** Resolution of arrival times, ms. */
const resolutionMs = 0.25;
/** The receiver's clock less the sender's; a multiple of the 64 ms in which reports count, ms. */
export const clockOffsetMs = 64 * 12_345;

/** Arrival times of the packets `first`, `first + 1`, ...; null for a missing one. */
export type Report = { first: number; receivedMs: (number | null)[] };

export class Receiver {
  /** Packets on their way, in order of arrival. */
  #coming: { sequence: number; atMs: number }[] = [];
  #next = 0;

  expect(sequence: number, atMs: number): void {
    if (atMs !== Infinity) this.#coming.push({ sequence, atMs });
  }

  /** Returns a report on the arrivals since the last one; undefined if there are none. */
  report(nowMs: number): Report | undefined {
    let arrived = 0;
    while (arrived < this.#coming.length && this.#coming[arrived]!.atMs <= nowMs) arrived++;
    if (arrived === 0) return undefined;
    const first = this.#next;
    const receivedMs: (number | null)[] = [];
    for (const { sequence, atMs } of this.#coming.splice(0, arrived)) {
      while (first + receivedMs.length < sequence) receivedMs.push(null);
      receivedMs.push(Math.floor(atMs / resolutionMs) * resolutionMs + clockOffsetMs);
    }
    this.#next = first + receivedMs.length;
    return { first, receivedMs };
  }
}
