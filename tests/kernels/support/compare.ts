/** When two links are the same to their traffic: the bounds, and the table of what was measured. */
import { median } from '../../../core/stats/quantile.ts';
import type { FlowMeasured } from './traffic.ts';

const bounds = { goodputRatio: 0.01, rttMs: 3, standardDeviations: 3 } as const;

export type Difference = {
  goodputRatio: number;
  rttMs: number;
  tcpRttMs: number;
  drops: number;
  dropsBound: number;
  isNone: boolean;
};

/** How the runs over link `b` differ from those over `a`: goodput and RTT by their medians, drops by their sums. */
export function difference(a: readonly FlowMeasured[], b: readonly FlowMeasured[]): Difference {
  const middle = (runs: readonly FlowMeasured[], key: keyof FlowMeasured) => median(runs.map(run => run[key]))!;
  const total = (runs: readonly FlowMeasured[]) => runs.reduce((sum, { drops }) => sum + drops, 0);
  const goodputRatio = middle(b, 'goodputBps') / middle(a, 'goodputBps') - 1;
  const rttMs = middle(b, 'rttMs') - middle(a, 'rttMs');
  const tcpRttMs = middle(b, 'tcpRttMs') - middle(a, 'tcpRttMs');
  const drops = total(b) - total(a);
  // the difference of two Poisson counts has the sum of their means for its variance
  const dropsBound = bounds.standardDeviations * Math.sqrt(total(a) + total(b));
  const isNone =
    Math.abs(goodputRatio) <= bounds.goodputRatio &&
    [rttMs, tcpRttMs].every(ms => Math.abs(ms) <= bounds.rttMs) &&
    Math.abs(drops) <= dropsBound;
  return { goodputRatio, rttMs, tcpRttMs, drops, dropsBound, isNone };
}

export const heading = ['goodput Mbit/s', 'RTT ms', 'TCP RTT ms', 'drops', 'drops before'];

export function describeRun({ goodputBps, rttMs, tcpRttMs, drops, startDrops }: FlowMeasured): string[] {
  return [(goodputBps / 1e6).toFixed(3), rttMs.toFixed(2), tcpRttMs.toFixed(2), String(drops), String(startDrops)];
}

export function describeDifference({ goodputRatio, rttMs, tcpRttMs, drops, dropsBound, isNone }: Difference): string[] {
  return [
    `${(goodputRatio * 100).toFixed(2)} %`,
    rttMs.toFixed(2),
    tcpRttMs.toFixed(2),
    `${drops} (within ${dropsBound.toFixed(1)})`,
    isNone ? '' : 'DIFFERS',
  ];
}

/** Rows of words as aligned columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, k) => Math.max(...rows.map(row => row[k]!.length)));
  return rows
    .map(row =>
      row
        .map((word, k) => word.padEnd(widths[k]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
