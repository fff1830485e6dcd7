/** Arrival time of each sent packet on the harness's clock. */
import type { PacketTable } from '../../../record/packet-table.ts';
import { fate, type PacketFates, reasonOf } from './packet-fates.ts';
import type { ReceiverClock } from './receiver-clock.ts';

export type PacketArrivals = {
  /**
   * Arrival time of each packet. Infinity if the packet stays in the queue until the end of the log; NaN if it is lost
   * or unknown.
   */
  arrivedMs: Float64Array;
  isLost(row: number): boolean;
};

/**
 * Returns arrivals from transport feedback if the offset of its clock is known. Otherwise returns the times at which
 * packets left the bottleneck, behind which no delay is added.
 */
export function packetArrivals(
  table: PacketTable,
  fates: PacketFates | null,
  clock: Pick<ReceiverClock, 'offsetMs'> | null,
): PacketArrivals {
  const arrivedMs = new Float64Array(table.length).fill(NaN);
  const isMissing = (row: number) => Number.isNaN(table.receivedMs[row]!) && !Number.isNaN(table.feedbackMs[row]!);
  for (let row = 0; row < table.length; row++) {
    const at = fates?.fate[row] ?? fate.unknown;
    if (clock !== null && !Number.isNaN(table.receivedMs[row]!))
      arrivedMs[row] = table.receivedMs[row]! + clock.offsetMs;
    else if (at === fate.waiting) arrivedMs[row] = Infinity;
    else if (at === fate.left && !isMissing(row)) arrivedMs[row] = fates!.offeredMs[row]! + fates!.sojournMs[row]!;
  }
  return {
    arrivedMs,
    isLost: row =>
      Number.isNaN(arrivedMs[row]!) && (isMissing(row) || reasonOf(fates?.fate[row] ?? fate.unknown) !== undefined),
  };
}
