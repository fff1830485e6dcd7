/** Reads the log of a trial's bottleneck to its end and says what each side met there, on a thread of its own: it is work that nothing else should wait for. */
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { CoexistError, messageOf } from '../../base/errors.ts';
import { conservationOf } from '../../../shaper/queue-log/analyse.ts';
import type { Conservation } from '../../../shaper/queue-log/analyse.ts';
import { QueueLog } from '../../../shaper/queue-log/format.ts';
import { queueSides } from '../queue-sides.ts';
import type { SideBin, SidesOptions, SideTraffic } from '../queue-sides.ts';

export type SidesDigest = { sides: SideTraffic[]; bins: SideBin[]; conservation: Conservation };

type Task = SidesOptions & { file: string };

/** Throws `link-refused` where the log cannot be read. */
export async function digestSides(task: Task): Promise<SidesDigest> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: task });
  return new Promise<SidesDigest>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', error => reject(new CoexistError('link-refused', `the queue log cannot be read: ${messageOf(error)}`, { cause: error })));
  });
}

if (!isMainThread && parentPort !== null) {
  const { file, ...options } = workerData as Task;
  const log = QueueLog.fromFile(file);
  const digest: SidesDigest = { ...queueSides(log, options), conservation: conservationOf(log) };
  parentPort.postMessage(digest);
}
