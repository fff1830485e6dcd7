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
   * Memory that is a process's own, all processes together, what lies in their own /tmp and /dev/shm, which are in
   * memory (the profile, and what a page writes), and files without a name that they share; bytes.
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
/** Of `st_blocks` (stat(2)). */
const blockBytes = 512;
/** Magic number of a file system in memory (statfs(2)). */
const tmpfs = 0x0102_1994;
const foldersInMemory = ['tmp', 'dev/shm'];

const numbersOf = (path: string) => readFileSync(path, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);

/** Of a line such as "RssAnon:  512 kB", however large a page of this machine is; 0 where there is none. */
const bytesOf = (name: string, lines: string) =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(lines)?.[1] ?? 0);

/**
 * Of a process and all that it has started; nothing where it has ended. `exactFrom`: less memory than that need not be
 * exact, bytes.
 */
export function useOf(pid: number, exactFrom = 0): Use {
  const use = { processes: 0, memoryBytes: 0 };
  const ids: number[] = [];
  const seen = new Set([readlinkSync('/proc/self/ns/mnt')]);
  const left = [pid];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    try {
      const own = bytesOf('RssAnon', readFileSync(`/proc/${one}/status`, 'utf8'));
      use.processes++;
      use.memoryBytes += own;
      ids.push(one);
      const mounts = readlinkSync(`/proc/${one}/ns/mnt`);
      if (seen.size < seen.add(mounts).size) use.memoryBytes += bytesInMemory(`/proc/${one}/root`);
      left.push(...childrenOf(one));
    } catch {
      continue; // it ended meanwhile
    }
  }
  if (use.memoryBytes + sharedOnThisMachine() > exactFrom) use.memoryBytes += bytesShared(ids);
  return use;
}

/** No processes can share more than all of the machine do. To look into each of them takes some tens of ms. */
function sharedOnThisMachine(): number {
  const lines = readFileSync('/proc/meminfo', 'utf8');
  return bytesOf('Shmem', lines) + bytesOf('SwapTotal', lines) - bytesOf('SwapFree', lines);
}

/** Mappings of what memfd_create(2), mmap(2) without a file, and shmget(2) make, in proc(5)'s maps. */
const sharedMapping = /^0*(\w+)-0*(\w+) .* \/(?:memfd:.*|dev\/zero|SYSV\w+)(?: \(deleted\))?$/gm;

/** What they take, each once, whether they are mapped or only open. */
function bytesShared(ids: readonly number[]): number {
  const sizes = new Map<string, number>();
  for (const path of ids.flatMap(sharedFilesOf)) {
    const file = attempt(() => statSync(path));
    if (file !== undefined) sizes.set(`${file.dev}:${file.ino}`, file.blocks * blockBytes);
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Each thread may have open files of its own. What others have mapped, the root of a user namespace may not follow. */
function sharedFilesOf(pid: number): string[] {
  const mappings = attempt(() => readFileSync(`/proc/${pid}/maps`, 'utf8')) ?? '';
  const mapped = [...mappings.matchAll(sharedMapping)].map(([, from, to]) => `/proc/${pid}/map_files/${from}-${to}`);
  const folders = (attempt(() => threadsOf(pid)) ?? []).map(thread => `/proc/${pid}/task/${thread}/fd`);
  const open = folders.flatMap(folder => (attempt(() => readdirSync(folder)) ?? []).map(name => `${folder}/${name}`));
  return [...mapped, ...open.filter(path => attempt(() => readlinkSync(path))?.startsWith('/memfd:'))];
}

/** Undefined where it ended, or was closed, meanwhile. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
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

const threadsOf = (pid: number) => readdirSync(`/proc/${pid}/task`);

/** Of each of its threads: a browser starts others from several. */
function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap(thread => numbersOf(`/proc/${pid}/task/${thread}/children`));
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
