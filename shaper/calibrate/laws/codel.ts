/**
 * Drop law of CoDel, RFC 8289 section 5, for packets that cannot be marked. It stands for a single flow of FQ-CoDel and
 * CAKE as well.
 */
import type { DropLaw } from '../../../core/vocabulary/drop-law.ts';
import type { Head, Law } from './law.ts';

/** Number of intervals after a dropping state during which a new dropping state resumes at the last rate of drops. */
const remembersIntervals = 16;

export class CoDel implements Law {
  readonly #law: Extract<DropLaw, { kind: 'codel' }>;
  #firstAboveMs = 0;
  #isDropping = false;
  #dropNextMs = 0;
  #count = 0;
  #lastCount = 0;
  danger = 0;

  constructor(law: Extract<DropLaw, { kind: 'codel' }>) {
    this.#law = law;
  }

  dropsArrival(): boolean {
    return false;
  }

  leave(nowMs: number, head: Head): boolean {
    let taken = this.#take(nowMs, head);
    if (this.#isDropping) {
      if (!taken.mayDrop) this.#isDropping = false;
      while (this.#isDropping && nowMs >= this.#dropNextMs) {
        this.#count++;
        this.#drop(head);
        taken = this.#take(nowMs, head);
        if (taken.mayDrop) this.#dropNextMs = this.#after(this.#dropNextMs);
        else this.#isDropping = false;
      }
    } else if (taken.mayDrop) {
      this.#drop(head);
      taken = this.#take(nowMs, head);
      this.#isDropping = true;
      const more = this.#count - this.#lastCount;
      const isRecent = nowMs - this.#dropNextMs < remembersIntervals * this.#law.intervalMs;
      this.#count = more > 1 && isRecent ? more : 1;
      this.#dropNextMs = this.#after(nowMs);
      this.#lastCount = this.#count;
    }
    return taken.isThere;
  }

  #drop(head: Head): void {
    head.drop();
    this.danger = 1;
  }

  #after(timeMs: number): number {
    return timeMs + this.#law.intervalMs / Math.sqrt(this.#count);
  }

  #take(nowMs: number, head: Head): { isThere: boolean; mayDrop: boolean } {
    const taken = head.take();
    const { targetMs, intervalMs, sparedBytes } = this.#law;
    if (taken === undefined || taken.waitedMs < targetMs || taken.behindBytes <= sparedBytes) {
      this.#firstAboveMs = 0;
      return { isThere: taken !== undefined, mayDrop: false };
    }
    if (this.#firstAboveMs === 0) this.#firstAboveMs = nowMs + intervalMs;
    else if (nowMs >= this.#firstAboveMs) return { isThere: true, mayDrop: true };
    this.danger = Math.max(this.danger, 1 - (this.#firstAboveMs - nowMs) / intervalMs);
    return { isThere: true, mayDrop: false };
  }
}
