/** How many packets of an application came to the bottleneck from a time on, by the stretches that the log counts in. */
import type { TrialRecord } from '../../../harness/record/trial-record.ts';

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** A record is of the middle of its stretch. */
const stretchMs = 100;

/** Only stretches that begin at `fromMs` or later: what came before it is in none of them. */
export const packetsSince = (
  delays: Awaited<ReturnType<TrialRecord['queueDelay']>>,
  name: string,
  fromMs: number,
): number =>
  sum(
    delays
      .filter(({ application, timeMs }) => application === name && timeMs - stretchMs / 2 >= fromMs)
      .map(({ sentPackets, droppedPackets }) => sentPackets + sum(Object.values(droppedPackets))),
  );
