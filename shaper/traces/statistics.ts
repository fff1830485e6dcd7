/** Statistics of what a generator makes, computed as the published ones were measured. */
import { quantile } from '../../core/stats/quantile.ts';
import type { Table, TableRow } from './table.ts';

/** Tables of both directions. */
export type Tables = { down: Table; up: Table };

/** Interval at which a table is looked at, ms. It is that of a fast ping. */
const everyMs = 10;

/** Calls `use` with the row that holds at each time. */
function eachTime(table: Table, use: (row: TableRow) => void): void {
  let k = 0;
  for (let atMs = 0; atMs < table.periodMs; atMs += everyMs) {
    while (table.rows[k + 1] !== undefined && table.rows[k + 1]!.atMs <= atMs) k++;
    use(table.rows[k]!);
  }
}

function delaysOf(table: Table): number[] {
  const delays: number[] = [];
  eachTime(table, ({ delayMs = 0 }) => delays.push(delayMs));
  return delays;
}

/** Round-trip times of small packets on the idle link, ms: the delays of both directions at one time. */
function roundTrips({ down, up }: Tables): number[] {
  const back = delaysOf(up);
  return delaysOf(down).map((delayMs, k) => delayMs + back[k]!);
}

/** Returns the quantile of the round-trip time, ms; `share` 1: the highest. */
export const rttQuantile =
  (share: number) =>
  (tables: Tables): number =>
    quantile(roundTrips(tables), share)!;

export function meanRtt(tables: Tables): number {
  const all = roundTrips(tables);
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}

/** Returns the median rate of a table over time, Mbit/s, outages included. */
export function medianMbps(table: Table): number {
  const rates: number[] = [];
  eachTime(table, ({ rateBps = 0, outage = false }) => rates.push(outage ? 0 : rateBps));
  return quantile(rates, 0.5)! / 1e6;
}

/** Returns the mean rate of a table over time, Mbit/s. */
export const meanMbps = ({ facts }: Table): number => (facts.rate?.meanBps ?? 0) / 1e6;
