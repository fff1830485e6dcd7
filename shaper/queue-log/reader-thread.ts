/**
 * Reads a queue log on a separate thread. Reading takes about a second, which would delay everything else in this
 * process.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { QueueLog } from './format.ts';

/**
 * Starts a thread in which a module that calls `answerHere` reads the log of `task`. Returns the module's answer.
 * `module`: its `import.meta.filename`. Throws `link-refused` if the log cannot be read.
 */
export function readOnThread<D>(module: string, task: { file: string }): Promise<D> {
  const worker = new Worker(module, { workerData: task });
  return new Promise<D>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', error =>
      reject(new CoexistError('link-refused', `the queue log cannot be read: ${messageOf(error)}`, { cause: error })),
    );
  });
}

/** Answers with the result of `read` if it runs on a thread of `readOnThread`. Does nothing on other threads. */
export function answerHere<T extends { file: string }, D>(read: (log: QueueLog, task: T) => D): void {
  if (isMainThread || parentPort === null) return;
  const task = workerData as T;
  parentPort.postMessage(read(QueueLog.fromFile(task.file), task));
}
