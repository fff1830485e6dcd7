/**
 * Folder in which a worker writes records until it has sent them. Each worker process has a separate folder. The
 * folders of processes that have ended are removed.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeError } from '../../../core/errors.ts';
import { makeFolder } from '../../../core/system/folders.ts';
import { isAlive, startTicks } from '../../../core/system/process-id.ts';
import { checkedTrialName } from '../../record/trial-name.ts';

export class Spool {
  readonly #path: string;
  #count = 0;

  constructor(parent: string) {
    this.#path = join(parent, `${process.pid}-${startTicks(process.pid) ?? 0}`);
    try {
      makeFolder(parent);
      for (const name of readdirSync(parent)) {
        const [pid, ticks] = name.split('-').map(Number);
        if (pid !== undefined && ticks !== undefined && !isAlive({ pid, startTicks: ticks }))
          rmSync(join(parent, name), { recursive: true, force: true });
      }
      makeFolder(this.#path);
    } catch (error) {
      throw writeError(error, parent);
    }
  }

  begin(id: string): string {
    const folder = join(this.#path, `${++this.#count}-${checkedTrialName(id)}`);
    try {
      makeFolder(folder);
    } catch (error) {
      throw writeError(error, folder);
    }
    return folder;
  }

  /** Leaves the record in its folder. The contents of trial.json are sent as the output of the job. */
  commit(folder: string): string {
    return folder;
  }

  discard(folder: string): void {
    rmSync(folder, { recursive: true, force: true });
  }

  remove(): void {
    rmSync(this.#path, { recursive: true, force: true });
  }
}
