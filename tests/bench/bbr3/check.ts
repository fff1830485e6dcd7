/**
 * What a check of the bench is: a scenario that is run with BBRv3 and, beside it, with others; and what is judged of
 * it.
 */

import { quantile } from '../../../core/stats/quantile.ts';
import type { Link } from '../../../core/vocabulary/link.ts';
import type { Flow, Traffic } from './flow.ts';

export type Verdict = {
  /** What BBRv3 did. */
  measured: string;
  /** What the other did. */
  beside: string;
  wanted: string;
  ok: boolean;
};

/** The flows of a scenario by congestion control; there is always bbr3, and bbr unless the scenario says otherwise. */
export type Flows = { bbr3: Flow; bbr: Flow; cubic?: Flow };

export type Check = {
  /** Number in the list of 14 (or a letter for more), and what it is about. */
  id: string;
  title: string;
  judge(flows: Flows): Verdict;
};

export type Scenario = {
  name: string;
  link: Link;
  traffic: Traffic;
  /** Beside BBRv3 and kernel bbr. */
  others?: 'cubic'[];
  checks: Check[];
};

export const percent = (ratio: number, digits = 1) => `${(ratio * 100).toFixed(digits)} %`;
export const mbit = (bps: number) => `${(bps / 1e6).toFixed(2)} Mbit/s`;

/** Median and largest of the queue after the start, packets. */
export function queueOf({ queue }: Flow, fromS = 2): { median: number; most: number } {
  const packets = queue
    .filter(reading => reading.timeS > fromS)
    .map(reading => reading.packets)
    .sort((a, b) => a - b);
  return { median: quantile(packets, 0.5) ?? NaN, most: packets.at(-1) ?? NaN };
}
