/** Methods of `Host` that are the same for all hosts on this machine: files, clocks, processes. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { nowMs } from './clock.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import type { Host } from './host.ts';

type OfThisMachine = Omit<Host, 'name' | 'run' | 'start' | 'processIds'>;

const words = (module: URL, nodeOptions: readonly string[] = []) => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  ...nodeOptions,
  fileURLToPath(module),
];

export const thisMachine: OfThisMachine = {
  cpuSeconds: async ids => cpuSeconds(ids),
  async endProcesses(ids) {
    for (const id of ids) {
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        continue; // the process has ended
      }
    }
  },
  give: async file => file,
  moduleWords: async module => words(module),
  programWords: async (module, _folders, nodeOptions) => words(module, nodeOptions),
  placeOf: file => file,
  folderOf: async directory => directory,
  bring: async () => {},
  read: file => readFile(file, 'utf8'),
  clocks() {
    const timeMs = nowMs();
    return {
      wallOffsetMs: timeMs - Date.now(),
      monotonicOffsetMs: timeMs - Number(process.hrtime.bigint()) / 1e6,
      uncertaintyMs: 0,
    };
  },
};

export abstract class HostOnThisMachine implements OfThisMachine {
  readonly cpuSeconds = thisMachine.cpuSeconds;
  readonly endProcesses = thisMachine.endProcesses;
  readonly give = thisMachine.give;
  readonly moduleWords = thisMachine.moduleWords;
  readonly programWords = thisMachine.programWords;
  readonly placeOf = thisMachine.placeOf;
  readonly folderOf = thisMachine.folderOf;
  readonly bring = thisMachine.bring;
  readonly read = thisMachine.read;
  readonly clocks = thisMachine.clocks;
}
