/**
 * Average of the queue delay, which follows a rising delay slowly and a falling delay at once (qdelay_avg; section
 * "Detecting Increased Queue Delay" of draft-johansson-ccwg-rfc8298bis-screamv2).
 */
import { virtualRttMs } from './virtual-rtt.ts';

/** Weight of a sample that is above the average (QDELAY_AVG_G). */
const weight = 1 / 4;

export class AverageQueueDelay {
  #averageMs = 0;
  #updatedMs = -Infinity;

  get averageMs(): number {
    return this.#averageMs;
  }

  /** Takes a queue delay. Samples count at most once per virtual or smoothed round trip, whichever is shorter. */
  update(queueDelayMs: number, rttMs: number, nowMs: number): void {
    if (nowMs - this.#updatedMs < Math.min(virtualRttMs, rttMs)) return;
    this.#averageMs =
      queueDelayMs < this.#averageMs ? queueDelayMs : weight * queueDelayMs + (1 - weight) * this.#averageMs;
    this.#updatedMs = nowMs;
  }
}
