/** Reads a queue log after checking that no record is missing and that every packet is accounted for. */
import { rmSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { type Conservation, isAccountedFor } from '../../shaper/queue-log/conservation.ts';
import type { QueueLogEnd } from '../../shaper/queue-log/recorder.ts';

/** Throws `link-refused` if the log lost a record. */
export function checkRecords(end: QueueLogEnd): void {
  if (end.lost > 0)
    throw new CoexistError('link-refused', `the queue log lost ${end.lost} of ${end.records + end.lost} records`);
}

/**
 * Throws `link-refused` if the log does not account for every packet. `unreported`: maximum number of packets in the
 * queue at the end that have no enqueue record.
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
  /** Milliseconds to add to a time of the log (monotonic clock of the router) to get Unix time. */
  unixOffsetMs: number;
  fromMs: number;
  toMs: number;
};

/**
 * Queue log of one trial. `router`: host that wrote the log. `phases`: null if the trial was given up before the end of
 * its window. `kept`: true if the file stays after reading.
 */
export type TrialLog = {
  end: QueueLogEnd | null;
  file: string;
  router: Pick<Host, 'clocks'>;
  phases: { windowStartMs: number; windowEndMs: number } | null;
  kept: boolean;
};

/**
 * Reads the log of a trial and returns `digest` of it; null if the trial has no log or was given up before the end of
 * its window. Removes the file unless `kept`. Throws `link-refused` if the log is incomplete, since its numbers are
 * then wrong.
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
  // times of the log are from the router's monotonic clock
  const { monotonicOffsetMs: unixOffsetMs } = router.clocks((phases.windowStartMs + phases.windowEndMs) / 2);
  const found = await digest({ file, unixOffsetMs, fromMs: phases.windowStartMs, toMs: phases.windowEndMs });
  for (const { conservation } of found.queues) checkConservation(conservation, end.unreported);
  if (!kept) rmSync(file);
  return found;
}
