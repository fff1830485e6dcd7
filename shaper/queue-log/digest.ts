/** Reads a queue log to its end and says what it holds, on a thread of its own: it is a second of work that nothing else should wait for. */
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { CoexistError, messageOf } from '../../harness/base/errors.ts';
import { conservationOf } from './analyse.ts';
import type { Conservation } from './analyse.ts';
import { QueueLog, addressNumber } from './format.ts';
import type { QueueRecord } from './format.ts';
import { MediaFates } from './media-fates.ts';
import type { MediaQueueLine } from './media-fates.ts';
import { summariseQueue } from './summary.ts';
import type { QueueSummary } from './summary.ts';

export type QueueDigest = QueueSummary & { conservation: Conservation; /** Of the whole log. */ media: MediaQueueLine[] };

type Task = { file: string; unixOffsetMs: number; fromMs: number; toMs: number; /** Address of the media's sender. */ mediaSource: string };

/** `fromMs`, `toMs`: the measured window, Unix ms; a record's time is `timeNs` / 1e6 + `unixOffsetMs`. Throws `link-refused` where the log is not sound. */
export async function digestQueueLog(task: Task): Promise<QueueDigest> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: task });
  return await new Promise<QueueDigest>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', error => reject(new CoexistError('link-refused', `the queue log cannot be read: ${messageOf(error)}`, { cause: error })));
  });
}

/** The records on their way to somebody else. */
function* alsoTo(media: MediaFates, records: Iterable<QueueRecord>): Generator<QueueRecord> {
  for (const record of records) {
    media.add(record);
    yield record;
  }
}

if (!isMainThread && parentPort !== null) {
  const { file, mediaSource, ...window } = workerData as Task;
  const log = QueueLog.fromFile(file);
  const media = new MediaFates(addressNumber(mediaSource), window.unixOffsetMs);
  const digest: QueueDigest = { ...summariseQueue(log, window), conservation: conservationOf(alsoTo(media, log)), media: media.lines };
  parentPort.postMessage(digest);
}
