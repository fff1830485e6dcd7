/** Reads the log of a trial's bottleneck to its end and says what each side met there. */
import { conservationOf } from '../../../shaper/queue-log/analyse.ts';
import type { Conservation } from '../../../shaper/queue-log/analyse.ts';
import { answerHere, readOnThread } from '../../../shaper/queue-log/reader-thread.ts';
import { queueSides } from '../queue-sides.ts';
import type { SideBin, SidesOptions, SideTraffic } from '../queue-sides.ts';

export type SidesDigest = { sides: SideTraffic[]; bins: SideBin[]; conservation: Conservation };

type Task = SidesOptions & { file: string };

/** Throws `link-refused` where the log cannot be read. */
export function digestSides(task: Task): Promise<SidesDigest> {
  return readOnThread(import.meta.filename, task);
}

answerHere<Task, SidesDigest>((log, { file: _, ...options }) => ({ ...queueSides(log, options), conservation: conservationOf(log) }));
