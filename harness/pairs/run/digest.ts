/** Reads the log of a trial's bottleneck to its end and says what each side met there. */
import { conservationOf } from '../../../shaper/queue-log/analyse.ts';
import type { Conservation } from '../../../shaper/queue-log/analyse.ts';
import { addressNumber } from '../../../shaper/queue-log/format.ts';
import { alsoTo, MediaFates } from '../../../shaper/queue-log/media-fates.ts';
import type { MediaQueueLine } from '../../../shaper/queue-log/media-fates.ts';
import { answerHere, readOnThread } from '../../../shaper/queue-log/reader-thread.ts';
import { queueSides } from '../queue-sides.ts';
import type { SideBin, SidesOptions, SideTraffic } from '../queue-sides.ts';

export type SidesDigest = { sides: SideTraffic[]; bins: SideBin[]; conservation: Conservation; /** Of each side, over the whole log. */ media: MediaQueueLine[][] };

type Task = SidesOptions & { file: string; /** Addresses of the sides' servers, which send the media of a call. */ mediaSources: readonly string[] };

/** Throws `link-refused` where the log cannot be read. */
export function digestSides(task: Task): Promise<SidesDigest> {
  return readOnThread(import.meta.filename, task);
}

answerHere<Task, SidesDigest>((log, { file: _, mediaSources, ...options }) => {
  const media = mediaSources.map(source => new MediaFates(addressNumber(source), options.unixOffsetMs));
  return { ...queueSides(log, options), conservation: conservationOf(alsoTo(media, log)), media: media.map(({ lines }) => lines) };
});
