/** Reads a queue log to its end and summarises it. */
import type { Bottleneck, Direction } from '../../core/vocabulary/link.ts';
import { type Conservation, conservationOf } from './conservation.ts';
import { addressNumber } from './format.ts';
import { alsoTo, MediaFates, type MediaQueueLine } from './media-fates.ts';
import { answerHere, readOnThread } from './reader-thread.ts';
import { type LinkStop, stopsOf } from './stops.ts';
import { type QueueSummary, type QueueWindow, summariseQueue } from './summary.ts';

type QueueDigest = {
  /** Summary of each requested bottleneck, in their order. */
  queues: (QueueSummary & { direction: Direction; conservation: Conservation; stops: LinkStop[] | null })[];
  /** Media packets of each party's server, over the whole log. */
  media: MediaQueueLine[][];
};

/** Rate or trace of a bottleneck. */
type Serving = Pick<Bottleneck, 'rateBps' | 'schedule' | 'trace'>;

/** `bottlenecks`: the bottlenecks whose queues are read. */
type Task = QueueWindow & { file: string; bottlenecks: Partial<Record<Direction, Serving>> };

/**
 * `fromMs`, `toMs`: the measured window, Unix ms; a record's time is `timeNs` / 1e6 + `unixOffsetMs`. Throws
 * `link-refused` if the log is not sound.
 */
export function digestQueueLog(task: Task): Promise<QueueDigest> {
  return readOnThread(import.meta.filename, task);
}

answerHere<Task, QueueDigest>((whole, { file: _, bottlenecks, ...options }) => {
  const media = options.parties.map(
    ({ server }) => new MediaFates(server === null ? null : addressNumber(server), options.unixOffsetMs),
  );
  const queues = (Object.entries(bottlenecks) as [Direction, Serving][]).map(([direction, bottleneck]) => {
    const log = whole.of(direction);
    return {
      direction,
      ...summariseQueue(log, options),
      conservation: conservationOf(alsoTo(media, log)),
      stops: stopsOf(log, bottleneck, options),
    };
  });
  return { queues, media: media.map(({ lines }) => lines) };
});
