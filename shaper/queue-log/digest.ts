/** Reads a queue log to its end and says what it holds. */
import type { Direction } from '../../core/link.ts';
import { conservationOf } from './analyse.ts';
import type { Conservation } from './analyse.ts';
import { addressNumber } from './format.ts';
import { alsoTo, MediaFates } from './media-fates.ts';
import type { MediaQueueLine } from './media-fates.ts';
import { answerHere, readOnThread } from './reader-thread.ts';
import { summariseQueue } from './summary.ts';
import type { QueueSummary } from './summary.ts';

export type QueueDigest = QueueSummary & { conservation: Conservation; /** Of the whole log. */ media: MediaQueueLine[] };

type Task = { file: string; unixOffsetMs: number; fromMs: number; toMs: number; /** Address of the media's sender. */ mediaSource: string; /** Which bottleneck's queue; the one towards the clients where not said. */ direction?: Direction };

/** `fromMs`, `toMs`: the measured window, Unix ms; a record's time is `timeNs` / 1e6 + `unixOffsetMs`. Throws `link-refused` where the log is not sound. */
export function digestQueueLog(task: Task): Promise<QueueDigest> {
  return readOnThread(import.meta.filename, task);
}

answerHere<Task, QueueDigest>((whole, { file: _, mediaSource, direction = 'down', ...window }) => {
  const log = whole.of(direction);
  const media = new MediaFates(addressNumber(mediaSource), window.unixOffsetMs);
  return { ...summariseQueue(log, window), conservation: conservationOf(alsoTo([media], log)), media: media.lines };
});
