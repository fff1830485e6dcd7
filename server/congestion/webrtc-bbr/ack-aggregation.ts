/**
 * Measures ack aggregation: bytes that are acknowledged at once, in excess of the estimated bandwidth. The congestion
 * window must leave room for these bytes.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateAckAggregationBytes.
 */
import { windowRounds } from './bandwidth.ts';
import { type Replacement, WindowedMax } from './windowed-filter.ts';

export class AckAggregation {
  readonly #filter: WindowedMax;
  #epochMs: number | undefined;
  #epochBytes = 0;

  constructor(replacement: Replacement) {
    this.#filter = new WindowedMax(windowRounds, replacement);
  }

  /** Largest number of excess bytes in the last ten rounds. */
  get excessBytes(): number {
    return this.#filter.best;
  }

  /** Starts the first epoch when the first packet is sent. */
  onSent(sentMs: number): void {
    this.#epochMs ??= sentMs;
  }

  onAcked(ackedBytes: number, bandwidthBps: number, round: number, nowMs: number): void {
    const expectedBytes = (bandwidthBps / 8000) * (nowMs - (this.#epochMs ?? nowMs));
    if (this.#epochBytes <= expectedBytes) {
      this.#epochBytes = ackedBytes;
      this.#epochMs = nowMs;
      return;
    }
    this.#epochBytes += ackedBytes;
    this.#filter.update(this.#epochBytes - expectedBytes, round);
  }
}
