/**
 * Resource use of a browser, and its limits: without them a page could use up the machine, and other programs on it
 * would suffer (bounds.ts).
 */
import { readFileSync, readdirSync, readlinkSync, statSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { CoexistError } from '../../core/errors.ts';

export type Use = {
  processes: number;
  /**
   * Memory that is a process's own, all processes together, and what lies in their own /tmp and /dev/shm, which are in
   * memory: the profile, and what a page writes; bytes.
   */
  memoryBytes: number;
  /** How often the kernel has refused it another process or thread. */
  refusals?: number;
};

export type UseLimits = { processes: number; memoryBytes: number; windows: number; downloads: number };

const gibibyte = 2 ** 30;

/** A browser of a trial has about ten processes and half a gibibyte. */
export const useLimits: UseLimits = {
  processes: 200,
  memoryBytes: Math.min(4 * gibibyte, totalmem() / 2),
  windows: 20,
  downloads: 20,
};

/** Threads of a process: Chromium's first has the most, about 40, and the others about 15. */
const threadsOfProcess = 16;

/** Processes and threads that it may have where the kernel counts them. */
export const tasksOf = ({ processes }: UseLimits): number => threadsOfProcess * processes;

const everyMs = 1000;
const pageBytes = 4096;
/** Magic number of a file system in memory (statfs(2)). */
const tmpfs = 0x0102_1994;
const foldersInMemory = ['tmp', 'dev/shm'];

const numbersOf = (path: string) => readFileSync(path, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);

/** Of a process and all that it has started; nothing where it has ended. */
export function useOf(pid: number): Use {
  const use = { processes: 0, memoryBytes: 0 };
  const seen = new Set([readlinkSync('/proc/self/ns/mnt')]);
  const left = [pid];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    try {
      const [, resident, shared] = numbersOf(`/proc/${one}/statm`); // proc(5): pages
      use.processes++;
      use.memoryBytes += Math.max(0, resident! - shared!) * pageBytes;
      const mounts = readlinkSync(`/proc/${one}/ns/mnt`);
      if (seen.size < seen.add(mounts).size) use.memoryBytes += bytesInMemory(`/proc/${one}/root`);
      left.push(...childrenOf(one));
    } catch {
      continue; // it ended meanwhile
    }
  }
  return use;
}

/** What files take in the folders of such a root that are in memory, and are not the machine's. */
function bytesInMemory(root: string): number {
  return foldersInMemory
    .map(folder => {
      if (statSync(`${root}/${folder}`).dev === statSync(`/${folder}`).dev) return 0;
      const { type, blocks, bfree, bsize } = statfsSync(`${root}/${folder}`);
      return type === tmpfs ? (blocks - bfree) * bsize : 0;
    })
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Of each of its threads: a browser starts others from several. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap(thread => numbersOf(`/proc/${pid}/task/${thread}/children`));
}

export const inGibibytes = (bytes: number) => `${(bytes / gibibyte).toFixed(1)} GiB`;

/** Why that is too much; undefined where it is not. */
export function excess({ processes, memoryBytes, refusals = 0 }: Use, limits: UseLimits): string | undefined {
  if (memoryBytes > limits.memoryBytes)
    return `the browser took ${inGibibytes(memoryBytes)} of memory, and may have ${inGibibytes(limits.memoryBytes)}`;
  if (processes > limits.processes)
    return `the browser started ${processes} processes, and may have ${limits.processes}`;
  if (refusals > 0)
    return `the browser has ${tasksOf(limits)} processes and threads, as many as it may have, and wanted more`;
  return undefined;
}

export class UseWatch {
  readonly #timer: NodeJS.Timeout;
  /** Bytes. */
  #mostMemory = 0;

  /** `onExcess` is called once, with an error that says of what there was too much. */
  constructor(read: () => Use, limits: UseLimits, onExcess: (error: CoexistError) => void) {
    this.#timer = setInterval(() => {
      const use = read();
      this.#mostMemory = Math.max(this.#mostMemory, use.memoryBytes);
      const message = excess(use, limits);
      if (message === undefined) return;
      this.stop();
      onExcess(new CoexistError('browser-died', message));
    }, everyMs);
    this.#timer.unref();
  }

  /** ", with 3.9 GiB of memory" where a browser that crashed had more than it usually has; else nothing. */
  get words(): string {
    return this.#mostMemory > gibibyte ? `, with ${inGibibytes(this.#mostMemory)} of memory` : '';
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
