/**
 * What every AQM is: how the kernel is told to manage a queue so, and how the emulator is.
 *
 * A folder beside this file whose index.ts exports `plugin`. Whether a kernel has the queue discipline is found by
 * trying.
 */
import type { Plugin } from '../../core/plugins.ts';
import type { LinkAqm } from '../native-link/link-types.ts';

export type AqmLimit = {
  /** What the definition counts in: a FIFO keeps to it; the others know packets, or bytes, only. */
  unit: 'packets' | 'bytes';
  packets: number;
  bytes: number;
  ecn: boolean;
};

export type AqmPlugin<P = never> = Plugin & {
  /** The leaf's queue discipline in the words of tc(8), its limit included; null where no kernel has it. */
  tc(params: P, limit: AqmLimit): { kind: string; words: string } | null;
  /** Null where the emulator has it not. */
  emulate(params: P): LinkAqm | null;
  /** Why these cannot go together, or null. */
  refuse?(limit: AqmLimit): string | null;
};
