/**
 * Reads the resource use of a browser from /proc (proc(5)) if no control group counts it. A reading lets other work of
 * the harness run from time to time. It looks at a limited number of things, since a browser that a page has taken over
 * can have very many.
 */
import { readdirSync, readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { nowMs } from '../../../core/system/clock.ts';
import type { Use } from './use.ts';

/** Unit of `st_blocks` (stat(2)), bytes. */
const blockBytes = 512;
/** Magic number of tmpfs, a file system in memory (statfs(2)). */
const tmpfs = 0x0102_1994;
const foldersInMemory = ['tmp', 'dev/shm'];
/**
 * Maximum number of processes, threads and open files (counted for each thread) that one reading looks at. Chromium
 * with one page has 16 processes, 130 threads and 7500 open files.
 */
const mostLooks = 200_000;
/** Number of looks after which a reading lets other work run. They take one to two ms. */
const looksOfTurn = 500;
/** Number of memory mappings that cost as much time as one look. */
const mappingsOfLook = 10;
/** Interval at which shared memory is counted again while it may exceed the limit, ms. */
const recountMs = 10_000;

/** Counts how many things a reading may still look at. */
class Looks {
  #left: number;
  #sinceTurn = 0;
  /** True if the limit was reached before everything was looked at. */
  isSpent = false;

  constructor(most: number) {
    this.#left = most;
  }

  /** Takes looks from the limit; false if too few are left. Lets other work of the harness run from time to time. */
  async take(looks = 1): Promise<boolean> {
    this.#sinceTurn += looks;
    if (this.#sinceTurn >= looksOfTurn) {
      this.#sinceTurn = 0;
      await setImmediate();
    }
    this.#left -= looks;
    if (this.#left < 0) this.isSpent = true;
    return !this.isSpent;
  }
}

const linesOf = (text: string) => text.split('\n').length - 1;
const numbersOf = (path: string) => readFileSync(path, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);

/**
 * Returns the bytes in a line such as "RssAnon: 512 kB", whose unit does not depend on the machine's page size. 0 if
 * the line is missing.
 */
const bytesOf = (name: string, lines: string) =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(lines)?.[1] ?? 0);

/**
 * Returns an upper bound, bytes, for the memory that a browser's processes share: shared memory plus used swap of the
 * whole machine.
 */
function sharedOnThisMachine(): number {
  const lines = readFileSync('/proc/meminfo', 'utf8');
  return bytesOf('Shmem', lines) + bytesOf('SwapTotal', lines) - bytesOf('SwapFree', lines);
}

/** Resource use of a process and of all processes that it has started, directly or indirectly. */
export class ProcessUse {
  readonly #pid: number;
  readonly #exactFrom: number;
  readonly #mostLooks: number;
  readonly #sharedOnMachine: () => number;
  /**
   * Shared bytes of these processes at the last count, shared bytes of the whole machine then, and the time. Initially
   * 0.
   */
  #counted: { sharedBytes: number; ofMachine: number; atMs: number };
  /** Number of readings that have counted shared memory. */
  counts = 0;

  /** `exactFrom`: memory, bytes, below which the use need not be exact. The last two arguments are for tests. */
  constructor(pid: number, exactFrom: number, most = mostLooks, sharedOnMachine = sharedOnThisMachine) {
    this.#pid = pid;
    this.#exactFrom = exactFrom;
    this.#mostLooks = most;
    this.#sharedOnMachine = sharedOnMachine;
    this.#counted = { sharedBytes: 0, ofMachine: sharedOnMachine(), atMs: nowMs() };
  }

  async read(): Promise<Use> {
    const looks = new Looks(this.#mostLooks);
    const { ids, memoryBytes } = await ownOf(this.#pid, looks);
    const ofMachine = this.#sharedOnMachine();
    if (this.#isToCount(memoryBytes, ofMachine)) {
      this.counts++;
      this.#counted = { sharedBytes: await bytesShared(ids, looks), ofMachine, atMs: nowMs() };
    }
    return {
      processes: ids.length,
      memoryBytes: memoryBytes + this.#counted.sharedBytes,
      ...(looks.isSpent ? { isPartial: true } : {}),
    };
  }

  /**
   * True if shared memory has to be counted, which takes some tens of ms of processor time. Between counts, all growth
   * of the machine's shared and swapped memory is attributed to these processes. Counts are repeated at intervals,
   * since memory that other programs release would hide growth.
   */
  #isToCount(ownBytes: number, ofMachine: number): boolean {
    if (ownBytes + ofMachine <= this.#exactFrom) return false;
    const { sharedBytes, ofMachine: before, atMs } = this.#counted;
    return nowMs() - atMs >= recountMs || ownBytes + sharedBytes + Math.max(0, ofMachine - before) > this.#exactFrom;
  }
}

/** Returns the ids of a process and its descendants, and the private memory of all of them in bytes. */
async function ownOf(pid: number, looks: Looks): Promise<{ ids: number[]; memoryBytes: number }> {
  const ids: number[] = [];
  let memoryBytes = 0;
  const seen = new Set([readlinkSync('/proc/self/ns/mnt')]);
  const left = [pid];
  for (let one = left.pop(); one !== undefined && (await looks.take()); one = left.pop()) {
    try {
      const own = bytesOf('RssAnon', readFileSync(`/proc/${one}/status`, 'utf8'));
      memoryBytes += own;
      ids.push(one);
      const mounts = readlinkSync(`/proc/${one}/ns/mnt`);
      if (seen.size < seen.add(mounts).size) memoryBytes += bytesInMemory(`/proc/${one}/root`);
      // a browser starts processes from several threads
      for (const thread of threadsOf(one)) {
        if (!(await looks.take())) break;
        left.push(...numbersOf(`/proc/${one}/task/${thread}/children`));
      }
    } catch {
      continue; // it has ended in the meantime
    }
  }
  return { ids, memoryBytes };
}

/**
 * Pattern of mappings made by memfd_create(2), mmap(2) without a file, and shmget(2), as /proc/PID/maps lists them
 * (proc(5)).
 */
const sharedMapping = /^0*(\w+)-0*(\w+) .* \/(?:memfd:.*|dev\/zero|SYSV\w+)(?: \(deleted\))?$/gm;

/**
 * Returns the total size in bytes of the shared files of these processes, mapped or only open. Each file counts once.
 * Incomplete if no looks are left.
 */
async function bytesShared(ids: readonly number[], looks: Looks): Promise<number> {
  const sizes = new Map<string, number>();
  for await (const path of sharedFilesOf(ids, looks)) {
    const file = attempt(() => statSync(path));
    if (file !== undefined) sizes.set(`${file.dev}:${file.ino}`, file.blocks * blockBytes);
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Yields the paths of shared files. Each thread may have open files of its own. Root of a user namespace may not open
 * mappings of other users' processes.
 */
async function* sharedFilesOf(ids: readonly number[], looks: Looks): AsyncGenerator<string> {
  for (const pid of ids) {
    const mappings = attempt(() => readFileSync(`/proc/${pid}/maps`, 'utf8')) ?? '';
    if (!(await looks.take(Math.ceil(linesOf(mappings) / mappingsOfLook)))) return;
    for (const [, from, to] of mappings.matchAll(sharedMapping)) yield `/proc/${pid}/map_files/${from}-${to}`;
    for (const thread of attempt(() => threadsOf(pid)) ?? []) {
      const folder = `/proc/${pid}/task/${thread}/fd`;
      for (const name of attempt(() => readdirSync(folder)) ?? []) {
        if (!(await looks.take())) return;
        const path = `${folder}/${name}`;
        if (attempt(() => readlinkSync(path))?.startsWith('/memfd:')) yield path;
      }
    }
  }
}

/** Returns the result of `look`; undefined if the process has ended or the file is closed. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/**
 * Returns the number of bytes in those folders of a root directory that are in memory, without folders of the machine.
 */
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
