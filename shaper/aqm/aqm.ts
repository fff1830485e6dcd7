/**
 * The interface of an AQM: how the kernel and the emulator are configured to use it.
 *
 * A folder beside this file whose index.ts exports `plugin`. What the emulator does is C in the same folder
 * (shaper/emulator/native/core/queue.h). Whether a kernel has the queue discipline is found by trying.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { DropLaw } from '../../core/vocabulary/drop-law.ts';

export type AqmLimit = {
  /** The unit of the limit in the definition: a FIFO uses it; the others support packets only, or bytes only. */
  unit: 'packets' | 'bytes';
  packets: number;
  bytes: number;
  ecn: boolean;
};

/**
 * A discipline of the emulator and its parameters. The discipline is the C source of the folder `kind` beside this file
 * and declares the parameters with their ranges and usual values. The emulator names a kind or a parameter that it does
 * not know, and a value out of range.
 */
export type EmulatedAqm = { kind: string; [parameter: string]: string | number };

export type AqmPlugin<P = never> = Plugin & {
  /** The leaf's queue discipline in the words of tc(8), its limit included; null where no kernel has it. */
  tc(params: P, limit: AqmLimit): { kind: string; words: string } | null;
  /** The emulator's discipline; null where the emulator has none. */
  emulate(params: P): EmulatedAqm | null;
  /**
   * When it drops packets. `largestBytes`: what the link counts for a full packet. Left out: nobody has said, and the
   * preflight leaves out what a discipline that acts would spoil.
   */
  law?(params: P, largestBytes: number): DropLaw;
  /** Packets of any size that it holds at least; what the limit says where this is left out. */
  holds?(limit: AqmLimit): number;
  /** Why these cannot go together, or null. */
  refuse?(limit: AqmLimit): string | null;
};
