/**
 * DualPI2 in virtual time (RFC 9332, appendix A), for a queue whose packets are all of one class: all with ECT(1), or
 * none. So it has no scheduler. Marks and drops are evenly spread, as in the emulator (shaper/aqm/dualpi2).
 *
 * Left out: overload, in which low-latency packets are dropped too. Here all of them are marked.
 */
import type { DropLaw } from '../../core/vocabulary/drop-law.ts';
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import { Pi2 } from '../../shaper/calibrate/laws/pi2.ts';

export type DualPi2Law = Extract<DropLaw, { kind: 'dualpi2' }>;

/** Native marking begins at this share of the step, and marks every packet from `rampEnd` on (appendix A.1). */
const rampStart = 0.8;
const rampEnd = 1.2;

/** Packet that leaves the queue. `behind`: number of packets that wait behind it. */
type Leaving = { arrivedMs: number; startsMs: number; behind: number; ecn: EcnField };

export class DualPi2 {
  readonly #law: DualPi2Law;
  readonly #base: Pi2;
  #count = 0;

  constructor(law: DualPi2Law) {
    this.#law = law;
    this.#base = new Pi2(law);
  }

  /** Returns what happens to a packet. Packets come in the order in which they leave. */
  leave({ arrivedMs, startsMs, behind, ecn }: Leaving): 'passes' | 'marked' | 'dropped' {
    const { coupling, stepMs } = this.#law;
    this.#base.catchUp(startsMs, atMs => Math.max(0, atMs - arrivedMs));
    const base = this.#base.ratio;
    if (ecn === 'ect1') {
      const waitedMs = startsMs - arrivedMs;
      const native = behind === 0 ? 0 : (waitedMs / stepMs - rampStart) / (rampEnd - rampStart);
      return this.#recurs(Math.min(1, Math.max(native, coupling * base))) ? 'marked' : 'passes';
    }
    if (!this.#recurs(base ** 2)) return 'passes';
    return ecn === 'ect0' && base ** 2 < 1 / coupling ** 2 ? 'marked' : 'dropped';
  }

  /** Returns true with this frequency (recur() of appendix A.1). */
  #recurs(ratio: number): boolean {
    this.#count += ratio;
    if (this.#count <= 1) return false;
    this.#count -= 1;
    return true;
  }
}
