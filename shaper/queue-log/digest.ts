/** Reads a queue log to its end and says what it holds. */
import { conservationOf } from './analyse.ts';
import type { Conservation } from './analyse.ts';
import { addressNumber } from './format.ts';
import { alsoTo, MediaFates } from './media-fates.ts';
import type { MediaQueueLine } from './media-fates.ts';
import { answerHere, readOnThread } from './reader-thread.ts';
import { summariseQueue } from './summary.ts';
import type { QueueSummary, QueueWindow } from './summary.ts';

export type QueueDigest = QueueSummary & { conservation: Conservation; /** Of the media that each party's server sent, over the whole log. */ media: MediaQueueLine[][] };

type Task = QueueWindow & { file: string };

/** `fromMs`, `toMs`: the measured window, Unix ms; a record's time is `timeNs` / 1e6 + `unixOffsetMs`. Throws `link-refused` where the log is not sound. */
export function digestQueueLog(task: Task): Promise<QueueDigest> {
  return readOnThread(import.meta.filename, task);
}

answerHere<Task, QueueDigest>((log, { file: _, ...options }) => {
  const media = options.parties.map(({ server }) => new MediaFates(server === null ? null : addressNumber(server), options.unixOffsetMs));
  return { ...summariseQueue(log, options), conservation: conservationOf(alsoTo(media, log)), media: media.map(({ lines }) => lines) };
});
