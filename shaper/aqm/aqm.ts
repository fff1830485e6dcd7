/**
 * The interface of an AQM: its configuration for the kernel and for the emulator.
 *
 * Each AQM is a folder next to this file whose index.ts exports `plugin`. The emulator's implementation is C in the
 * same folder (shaper/emulator/native/core/queue.h). Availability of the kernel's queue discipline is found by trying.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { DropLaw } from '../../core/vocabulary/drop-law.ts';

export type AqmLimit = {
  /** Unit of the limit in the definition. A FIFO uses it; the others support packets only, or bytes only. */
  unit: 'packets' | 'bytes';
  packets: number;
  bytes: number;
  ecn: boolean;
};

/**
 * A discipline of the emulator and its parameters. The discipline is the C source of the folder `kind` next to this
 * file, which declares the parameters with their ranges and default values. The emulator names an unknown kind, an
 * unknown parameter and a value out of range.
 */
export type EmulatedAqm = { kind: string; [parameter: string]: string | number };

export type AqmPlugin<P = never> = Plugin & {
  /** The leaf's queue discipline in the words of tc(8), including its limit; null if no kernel has it. */
  tc(params: P, limit: AqmLimit): { kind: string; words: string } | null;
  /** The emulator's discipline; null if the emulator has none. */
  emulate(params: P): EmulatedAqm | null;
  /**
   * Law by which it drops packets. `largestBytes`: bytes that the link counts for a full packet. If left out, the law
   * is unknown, and the preflight skips the checks that an active discipline would disturb.
   */
  law?(params: P, largestBytes: number): DropLaw;
  /** Smallest number of packets of any size that fit; left out: given by the limit. */
  holds?(limit: AqmLimit): number;
  /** Reason why the discipline does not support the limit; null if it does. */
  refuse?(limit: AqmLimit): string | null;
};
