/**
 * The interface of an AQM: how the kernel and the emulator are configured to use it.
 *
 * A folder beside this file whose index.ts exports `plugin`. Whether a kernel has the queue discipline is found by
 * trying.
 */
import type { Plugin } from '../../core/plugins.ts';
import type { LinkAqm } from '../native-link/link-types.ts';

export type AqmLimit = {
  /** The unit of the limit in the definition: a FIFO uses it; the others support packets only, or bytes only. */
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
