/** Reads a queue log after checking that it has every record and accounts for every packet. */
import { rmSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { type Conservation, isAccountedFor } from '../../shaper/queue-log/conservation.ts';
import type { QueueLogEnd } from '../../shaper/queue-log/recorder.ts';

/** Throws `link-refused` if a record was lost. */
export function checkRecords(end: QueueLogEnd): void {
  if (end.lost > 0)
    throw new CoexistError('link-refused', `the queue log lost ${end.lost} of ${end.records + end.lost} records`);
}

/**
 * Throws `link-refused` if packets are unaccounted for. `unreported`: maximum number of packets in the queue at the end
 * without an enqueue record.
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
  /** Milliseconds to add to a time of the log to get Unix time. */
  unixOffsetMs: number;
  fromMs: number;
  toMs: number;
};

/**
 * `router`: the host that wrote the log. `phases`: null if the trial was given up before its window. `kept`: true if
 * the file is kept.
 */
export type TrialLog = {
  end: QueueLogEnd | null;
  file: string;
  router: Pick<Host, 'clocks'>;
  phases: { windowStartMs: number; windowEndMs: number } | null;
  kept: boolean;
};

/**
 * Returns the digest of a trial's log; null if the trial has no log or was given up before the end of its window.
 * Removes the file unless `kept`. Throws `link-refused` if the log is incomplete, since then nothing in it is certain.
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
  // the log has the router's monotonic clock
  const { monotonicOffsetMs: unixOffsetMs } = router.clocks((phases.windowStartMs + phases.windowEndMs) / 2);
  const found = await digest({ file, unixOffsetMs, fromMs: phases.windowStartMs, toMs: phases.windowEndMs });
  for (const { conservation } of found.queues) checkConservation(conservation, end.unreported);
  if (!kept) rmSync(file);
  return found;
}
