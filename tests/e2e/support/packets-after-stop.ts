/** How many packets of an application came to the bottleneck after its stop, by the stretches that the log counts in. */
import assert from 'node:assert/strict';
import type { ApplicationFile } from '../../../harness/record/trial-file.ts';
import type { TrialRecord } from '../../../harness/record/trial-record.ts';

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** A record is of the middle of its stretch. */
const stretchMs = 100;

/** One that does not end when told is killed after this time. */
const killedAfterMs = 1000;

/**
 * Counted from when its programs had ended and its sender could have heard of it, `untilHeardMs` later: how long a busy
 * machine takes to end a program is in `endedMs`. Only stretches that begin then or later: what came before is in none
 * of them.
 */
export function packetsAfterStop(
  delays: Awaited<ReturnType<TrialRecord['queueDelay']>>,
  { name, stopMs, endedMs }: ApplicationFile,
  untilHeardMs: number,
): number {
  const tookMs = endedMs! - stopMs!;
  assert.ok(tookMs >= 0 && tookMs < killedAfterMs, `${name} took ${tookMs} ms to end`);
  return sum(
    delays
      .filter(({ application, timeMs }) => application === name && timeMs - stretchMs / 2 >= endedMs! + untilHeardMs)
      .map(({ sentPackets, droppedPackets }) => sentPackets + sum(Object.values(droppedPackets))),
  );
}
