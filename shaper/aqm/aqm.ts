/**
 * The interface of an AQM: its configuration for the kernel, for the emulator and for mahimahi.
 *
 * Each AQM is a folder next to this file whose index.ts exports `plugin`. The emulator's implementation is C in the
 * same folder (shaper/emulator/native/core/queue.h). The shaper tries out if the kernel has the queue discipline.
 */

import type { Plugin } from '../../core/plugins.ts';
import type { z } from '../../core/schema/schema.ts';
import type { DropLaw } from '../../core/vocabulary/drop-law.ts';

export type AqmLimit = {
  /**
   * Unit in which the definition gives the limit. A FIFO supports both units; the other AQMs support packets only, or
   * bytes only.
   */
  unit: 'packets' | 'bytes';
  packets: number;
  bytes: number;
  ecn: boolean;
};

/**
 * Name (`kind`) and parameters of a discipline of the emulator. The C sources in the folder `kind` next to this file
 * implement the discipline and declare its parameters with ranges and default values. The emulator refuses an unknown
 * kind, an unknown parameter or a value out of range, and names it.
 */
export type EmulatedAqm = { kind: string; [parameter: string]: string | number };

/**
 * Queue of mahimahi's mm-link: its type, and its arguments without the limit, in the words of mm-link(1). Times are
 * whole ms.
 */
export type ShellQueue = { type: 'droptail' | 'codel' | 'pie'; args: Readonly<Record<string, number>> };

/**
 * Interface of an AQM that its folder exports. `P`: type of the checked parameters. All other code uses the AQM through
 * `Aqm` (bound-aqm.ts), which binds it to parameters once.
 */
export type AqmPlugin<P = unknown> = Plugin & {
  params: z.ZodType<P>;
  /**
   * Returns the queue discipline of the leaf in the words of tc(8), including its limit; null if no kernel has this
   * AQM.
   */
  tc(params: P, limit: AqmLimit): { kind: string; words: string } | null;
  /** Returns the discipline of the emulator for this AQM; null if the emulator has none. */
  emulate(params: P): EmulatedAqm | null;
  /**
   * Returns the queue of mm-link for this AQM, or the reason why mm-link does not support these parameters. If this
   * method is missing, mm-link does not have the AQM.
   */
  shell?(params: P): ShellQueue | string;
  /**
   * Returns the law by which this AQM drops packets. `largestBytes`: bytes that the link counts for a full packet. If
   * this method is missing, the law is unknown, and the preflight skips the checks that an active discipline would
   * disturb.
   */
  law?(params: P, largestBytes: number): DropLaw;
  /**
   * Returns the smallest number of packets, of any size, that fit into the queue. If this method is missing, the limit
   * gives that number.
   */
  holds?(limit: AqmLimit): number;
  /** Returns the reason why the discipline does not support `limit`; null if it supports it. */
  refuse?(limit: AqmLimit): string | null;
};
