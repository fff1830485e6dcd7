/**
 * Drop law of PIE, RFC 8033 appendix A, for packets that cannot be marked. PIE's drops are random. This law drops a
 * packet when the sum of the probabilities since the last drop reaches the mean sum at which PIE drops.
 */
import type { DropLaw } from '../../../core/vocabulary/drop-law.ts';
import type { Head, Law, Waiting } from './law.ts';

const [alphaHz, betaHz] = [0.125, 1.25];
const burstMs = 150;
/**
 * Sum of the probabilities before which PIE drops no packet (section 5.4). The drop then follows, on average, after a
 * further sum of 1.
 */
const accumulatedLow = 0.85;
const meanAccumulated = accumulatedLow + 1;
/** Factors by which small probabilities change in smaller steps (section 4.2). */
const tuning = [
  [1e-6, 2048],
  [1e-5, 512],
  [1e-4, 128],
  [1e-3, 32],
  [1e-2, 8],
  [0.1, 2],
] as const;

export class Pie implements Law {
  readonly #targetS: number;
  readonly #updateMs: number;
  readonly #largestBytes: number;
  #updateAtMs: number | undefined;
  #burstMs = burstMs;
  #probability = 0;
  #accumulated = 0;
  #delayS = 0;
  #delayOldS = 0;
  danger = 0;

  constructor({ targetMs, updateMs }: Extract<DropLaw, { kind: 'pie' }>, largestBytes: number) {
    this.#targetS = targetMs / 1e3;
    this.#updateMs = updateMs;
    this.#largestBytes = largestBytes;
  }

  dropsArrival(nowMs: number, waiting: Waiting): boolean {
    this.#catchUp(nowMs, waiting);
    if (this.#burstMs > 0 || (this.#delayOldS < this.#targetS / 2 && this.#probability < 0.2)) return false;
    if (waiting.bytes <= 2 * this.#largestBytes) return false;
    if (this.#probability === 0) this.#accumulated = 0;
    this.#accumulated += this.#probability;
    this.danger = Math.max(this.danger, this.#accumulated / accumulatedLow);
    if (this.#accumulated < meanAccumulated) return false;
    this.#accumulated = 0;
    return true;
  }

  leave(nowMs: number, head: Head, waiting: Waiting): boolean {
    this.#catchUp(nowMs, waiting);
    const taken = head.take();
    if (taken !== undefined) this.#delayS = taken.waitedMs / 1e3;
    return taken !== undefined;
  }

  #catchUp(nowMs: number, waiting: Waiting): void {
    this.#updateAtMs ??= nowMs + this.#updateMs;
    for (; this.#updateAtMs <= nowMs; this.#updateAtMs += this.#updateMs) this.#update(waiting);
  }

  #update({ packets }: Waiting): void {
    if (packets === 0) this.#delayS = 0;
    const probability = this.#probability;
    const step = alphaHz * (this.#delayS - this.#targetS) + betaHz * (this.#delayS - this.#delayOldS);
    const tuned = step / (tuning.find(([below]) => probability < below)?.[1] ?? 1);
    const change = probability >= 0.1 ? Math.min(tuned, 0.02) : tuned;
    const isIdle = this.#delayS === 0 && this.#delayOldS === 0;
    this.#probability = Math.min(1, Math.max(0, (probability + change) * (isIdle ? 0.98 : 1)));
    const isCalm = Math.max(this.#delayS, this.#delayOldS) < this.#targetS / 2;
    this.#burstMs = this.#probability === 0 && isCalm ? burstMs : Math.max(0, this.#burstMs - this.#updateMs);
    this.#delayOldS = this.#delayS;
  }
}
