/**
 * The cycle of pacing gains in PROBE_BW: one round trip above the bandwidth, one below the bandwidth, six at the
 * bandwidth.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, EnterProbeBandwidthMode, UpdateGainCyclePhase and
 * GetPacingGain. The cycle starts in a random phase, but never in the phase that drains the queue. As in libwebrtc, the
 * random generator has a fixed seed.
 */
import { type Random, seededRandom } from '../../../core/random.ts';

/** Number of phases in a cycle (kGainCycleLength). */
const phases = 8;

type PhaseInput = {
  nowMs: number;
  minRttMs: number;
  /** Bytes in flight just before the feedback message arrived. */
  priorInFlightBytes: number;
  hasLosses: boolean;
  /** Returns the target congestion window for a gain, bytes. */
  targetBytes(gain: number): number;
};

export class GainCycle {
  /** Deviation of the gain from 1: added in the first phase, subtracted in the second (probe_bw_pacing_gain_offset). */
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
   * Ends the current phase after one minimum round trip. A phase with a gain above 1 lasts at least until the bytes in
   * flight have grown to the target, unless packets are lost. A phase with a gain below 1 ends as soon as the queue is
   * empty.
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
