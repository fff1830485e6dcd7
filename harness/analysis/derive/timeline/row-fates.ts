/** Fate of each sent packet at all bottlenecks that it meets in a row. */
import type { PacketTable } from '../../../record/packet-table.ts';
import type { MediaQueueRecord } from '../../../record/series/queue.media.ts';
import { fate, type PacketFates, packetFates } from './packet-fates.ts';

/**
 * Returns the fates of the packets of the table. A packet that left one bottleneck and met another has the fate of the
 * later one, and in the queues all the time from its arrival at the earlier one. Its `hop` and `queuePackets` are those
 * of the bottleneck that dropped it or at which it waited longest. Null if the trial has no queue log, or if no log has
 * one of the packets.
 */
export function rowFates(table: PacketTable, lines: readonly MediaQueueRecord[]): PacketFates | null {
  const all = [...Map.groupBy(lines, ({ hop = 1 }) => hop).values()].map(ofHop => packetFates(table, ofHop));
  return all.reduce((row, own) => (row === null || own === null ? (row ?? own) : join(row, own)), null);
}

/** Joins the fates at two bottlenecks into `a`. */
function join(a: PacketFates, b: PacketFates): PacketFates {
  for (let row = 0; row < a.fate.length; row++) {
    if (b.fate[row] === fate.unknown) continue;
    const [first, later] = a.fate[row] === fate.unknown || b.offeredMs[row]! < a.offeredMs[row]! ? [b, a] : [a, b];
    const has = first.fate[row] === fate.left && later.fate[row] !== fate.unknown;
    const offeredMs = first.offeredMs[row]!;
    const last = has ? later : first;
    const leftMs = last.offeredMs[row]! + last.sojournMs[row]!;
    // one that never left the later queue waited there
    const main = last === first || last.sojournMs[row]! < first.sojournMs[row]! ? first : last;
    const judged = last.fate[row] === fate.left ? main : last;
    const [hop, packets] = [judged.hop[row]!, judged.queuePackets[row]!];
    a.fate[row] = last.fate[row]!;
    a.offeredMs[row] = offeredMs;
    a.sojournMs[row] = leftMs - offeredMs;
    a.queuePackets[row] = packets;
    a.hop[row] = hop;
  }
  return a;
}
