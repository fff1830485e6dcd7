/** What the records of a queue log add up to, and how full the queue was. */
import type { DropReason } from '../../../core/vocabulary/drop-reason.ts';
import type { QueueRecord } from '../../../shaper/queue-log/format.ts';

type Count = { packets: number; bytes: number };

/** Packets and bytes of the records of an event, or of the drops for a reason. */
export function countOf(records: readonly QueueRecord[], what: QueueRecord['event'] | DropReason): Count {
  const some = records.filter(({ event, reason }) => event === what || reason === what);
  return { packets: some.length, bytes: some.reduce((sum, { lengthBytes }) => sum + lengthBytes, 0) };
}

const binNs = 100e6;

/** Packets in the queue in stretches of 100 ms from the first record on: the mean over time, of whole ones, and the most. */
export function occupancyOf(records: readonly QueueRecord[]): { meanPackets: number; maxPackets: number }[] {
  const bins: { meanPackets: number; maxPackets: number }[] = [];
  const startNs = records[0]?.timeNs ?? 0;
  let [nowNs, packets] = [startNs, 0];
  const bin = (k: number) => {
    // a queue that was left alone still holds what it held
    while (bins.length <= k) bins.push({ meanPackets: 0, maxPackets: packets });
    return bins[k]!;
  };
  const binAt = (timeNs: number) => Math.floor((timeNs - startNs) / binNs);
  for (const { timeNs, queuePackets } of records) {
    if (timeNs < nowNs) continue; // an enqueue that was reported late: what is in the queue now is known already
    while (nowNs < timeNs) {
      const k = binAt(nowNs);
      const untilNs = Math.min(timeNs, startNs + (k + 1) * binNs);
      bin(k).meanPackets += (packets * (untilNs - nowNs)) / binNs;
      nowNs = untilNs;
    }
    const last = bin(binAt(timeNs));
    packets = queuePackets;
    last.maxPackets = Math.max(last.maxPackets, packets);
  }
  return bins;
}
