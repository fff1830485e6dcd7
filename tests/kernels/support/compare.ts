/** When two links are the same to their traffic: the bounds, and the table of what was measured. */
import { median } from '../../../harness/stats/quantile.ts';
import type { FlowMeasured } from './traffic.ts';

/** One run over one link. */
export type LinkMeasured = FlowMeasured & { drops: number };

const bounds = { goodputRatio: 0.01, rttMs: 3, standardDeviations: 3 } as const;

/** How the runs over two links differ; goodput and RTT by their medians, drops by their sums. */
export function compare(a: readonly LinkMeasured[], b: readonly LinkMeasured[]): { goodputRatio: number; rttMs: number; tcpRttMs: number; drops: number; dropsBound: number; same: boolean } {
  const middle = (runs: readonly LinkMeasured[], key: keyof LinkMeasured) => median(runs.map(run => run[key]))!;
  const total = (runs: readonly LinkMeasured[]) => runs.reduce((sum, { drops }) => sum + drops, 0);
  const goodputRatio = middle(b, 'goodputBps') / middle(a, 'goodputBps') - 1;
  const rttMs = middle(b, 'rttMs') - middle(a, 'rttMs');
  const tcpRttMs = middle(b, 'tcpRttMs') - middle(a, 'tcpRttMs');
  const drops = total(b) - total(a);
  // the difference of two Poisson counts has the sum of their means for its variance
  const dropsBound = bounds.standardDeviations * Math.sqrt(total(a) + total(b));
  const same = Math.abs(goodputRatio) <= bounds.goodputRatio && Math.abs(rttMs) <= bounds.rttMs && Math.abs(tcpRttMs) <= bounds.rttMs && Math.abs(drops) <= dropsBound;
  return { goodputRatio, rttMs, tcpRttMs, drops, dropsBound, same };
}

/** Rows of words as aligned columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, k) => Math.max(...rows.map(row => row[k]!.length)));
  return rows.map(row => row.map((word, k) => word.padEnd(widths[k]!)).join('  ').trimEnd()).join('\n');
}

export function describeRun({ goodputBps, rttMs, tcpRttMs, drops }: LinkMeasured): string[] {
  return [(goodputBps / 1e6).toFixed(3), rttMs.toFixed(2), tcpRttMs.toFixed(2), String(drops)];
}
