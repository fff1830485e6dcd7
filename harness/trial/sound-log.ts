/**
 * Reads a queue log after checking that it is complete: every record is there, and every packet in it is accounted for.
 */
import { rmSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { type Conservation, isAccountedFor } from '../../shaper/queue-log/conservation.ts';
import type { QueueLogEnd } from '../../shaper/queue-log/recorder.ts';

/** Throws `link-refused` where a record was lost. */
export function checkRecords(end: QueueLogEnd): void {
  if (end.lost > 0)
    throw new CoexistError('link-refused', `the queue log lost ${end.lost} of ${end.records + end.lost} records`);
}

/**
 * Throws `link-refused` where packets are unaccounted for. `unreported`: how many at most are in the queue at
 * the end without an enqueue in the log.
 */
export function checkConservation(conservation: Conservation, unreported = 0): void {
  if (isAccountedFor(conservation, unreported)) return;
  throw new CoexistError(
    'link-refused',
    `packets at the bottleneck are unaccounted for: ${conservation.enqueuedPackets} came in, ` +
      `${conservation.dequeuedPackets} left, ${conservation.droppedPackets} were dropped, ` +
      `${conservation.waitingPackets} should wait, ${conservation.queuePackets} do`,
  );
}

type LogWindow = {
  file: string;
  /** Unix ms = the log's ms + this. */
  unixOffsetMs: number;
  fromMs: number;
  toMs: number;
};

/** `router`: who wrote it. `phases`: null where the trial was given up before its window. `kept`: whether the file stays. */
export type TrialLog = {
  end: QueueLogEnd | null;
  file: string;
  router: Pick<Host, 'clocks'>;
  phases: { windowStartMs: number; windowEndMs: number } | null;
  kept: boolean;
};

/**
 * The digest of a trial's log; null where it has none, or was given up before its window had ended. Removes the file
 * unless it is to be `kept`. Throws `link-refused` where the log is not sound: then nothing it says is sure.
 */
export async function readSoundLog<D extends { queues: readonly { conservation: Conservation }[] }>(
  { end, file, router, phases, kept }: TrialLog,
  digest: (window: LogWindow) => Promise<D>,
): Promise<D | null> {
  if (end === null || phases === null) {
    rmSync(file, { force: true });
    return null;
  }
  checkRecords(end);
  // its clock is the router's monotonic one
  const { monotonicOffsetMs: unixOffsetMs } = router.clocks((phases.windowStartMs + phases.windowEndMs) / 2);
  const found = await digest({ file, unixOffsetMs, fromMs: phases.windowStartMs, toMs: phases.windowEndMs });
  for (const { conservation } of found.queues) checkConservation(conservation, end.unreported);
  if (!kept) rmSync(file);
  return found;
}
