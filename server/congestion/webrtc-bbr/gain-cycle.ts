/**
 * The cycle of pacing gains in PROBE_BW: a round trip above the bandwidth, one below it, six at it.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, EnterProbeBandwidthMode, UpdateGainCyclePhase and
 * GetPacingGain. The phase to start from is drawn, without the one that drains; libwebrtc's generator has a fixed seed,
 * too.
 */
import { type Random, seededRandom } from '../../../core/random.ts';

/** kGainCycleLength. */
const phases = 8;

type PhaseInput = {
  nowMs: number;
  minRttMs: number;
  /** Before the feedback message was worked through. */
  priorInFlightBytes: number;
  hasLosses: boolean;
  /** The congestion window that belongs to a gain, bytes. */
  targetBytes(gain: number): number;
};

export class GainCycle {
  /** What the first phase adds to 1 and the second takes from it (probe_bw_pacing_gain_offset). */
  readonly #offset: number;
  readonly #random: Random;
  #phase = 0;
  #startedMs = -Infinity;

  constructor(offset: number, seed: number) {
    this.#offset = offset;
    this.#random = seededRandom(seed);
  }

  get gain(): number {
    return this.#phase === 0 ? 1 + this.#offset : this.#phase === 1 ? 1 - this.#offset : 1;
  }

  start(nowMs: number): void {
    const drawn = Math.floor(this.#random.next() * (phases - 1));
    this.#phase = drawn === 0 ? 0 : drawn + 1;
    this.#startedMs = nowMs;
  }

  /**
   * A phase lasts one lowest round trip; above 1 until the flight has grown, unless packets are lost; below 1 no longer
   * than the queue.
   */
  update({ nowMs, minRttMs, priorInFlightBytes, hasLosses, targetBytes }: PhaseInput): void {
    const { gain } = this;
    let isOver = nowMs - this.#startedMs > minRttMs;
    if (gain > 1 && !hasLosses && priorInFlightBytes < targetBytes(gain)) isOver = false;
    if (gain < 1 && priorInFlightBytes <= targetBytes(1)) isOver = true;
    if (!isOver) return;
    this.#phase = (this.#phase + 1) % phases;
    this.#startedMs = nowMs;
  }
}
