/** Reads a queue log to its end, and returns summaries of its queues and the fate of each media packet. */
import type { Bottleneck, Direction } from '../../core/vocabulary/link.ts';
import { type Conservation, conservationOf } from './conservation.ts';
import { addressNumber } from './format.ts';
import { type Marks, QueueMarks } from './marks.ts';
import { alsoTo, MediaFates, type MediaQueueLine } from './media-fates.ts';
import { answerHere, readOnThread } from './reader-thread.ts';
import { type LinkStop, stopsOf } from './stops.ts';
import { type QueueSummary, type QueueWindow, summariseQueue } from './summary.ts';

type QueueDigest = {
  /**
   * Summaries of the requested bottlenecks, in the order of the keys of the task's `bottlenecks`. `stops`: null if the
   * bottleneck follows a trace.
   */
  queues: (QueueSummary & {
    direction: Direction;
    conservation: Conservation;
    stops: LinkStop[] | null;
    /** Null if the log does not have the type of service. */
    marks: Marks | null;
  })[];
  /** Media packets that the server of each party sent, over the whole log. The parties are in the order of the task. */
  media: MediaQueueLine[][];
};

/** Properties of a bottleneck that give its rate at any time. */
type Serving = Pick<Bottleneck, 'rateBps' | 'schedule' | 'trace'>;

/** Task for the thread that reads the log. `bottlenecks`: bottlenecks whose queues are read. */
type Task = QueueWindow & { file: string; bottlenecks: Partial<Record<Direction, Serving>> };

/**
 * Reads the log on a separate thread. `fromMs`, `toMs`: the measured window, Unix ms. The Unix time of a record is
 * `timeNs` / 1e6 + `unixOffsetMs` in ms. Throws `link-refused` if the log is not sound.
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
    const marks = new QueueMarks(options);
    return {
      direction,
      ...summariseQueue(log, options),
      conservation: conservationOf(alsoTo([...media, marks], log)),
      marks: marks.read(),
      stops: stopsOf(log, bottleneck, { ...options, source: log.header.source }),
    };
  });
  return { queues, media: media.map(({ lines }) => lines) };
});
