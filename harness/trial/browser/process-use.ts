/**
 * What a browser uses, read from /proc (proc(5)) where no control group counts it. Reading takes turns with the rest of
 * the harness, and looks at a limited number of things: a browser that a page has taken over can have a great many.
 */
import { readdirSync, readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { nowMs } from '../../../core/system/clock.ts';
import type { Use } from './use.ts';

/** Of `st_blocks` (stat(2)). */
const blockBytes = 512;
/** Magic number of a file system in memory (statfs(2)). */
const tmpfs = 0x0102_1994;
const foldersInMemory = ['tmp', 'dev/shm'];
/**
 * Processes, threads and open files that one reading looks at, those of each thread. Chromium with one page has 16, 130
 * and 7500.
 */
const mostLooks = 200_000;
/** So many take one to two ms. */
const looksOfTurn = 500;
/** Mappings that take as long as one of them. */
const mappingsOfLook = 10;
/** What is shared is counted again after this while it may be too much. */
const recountMs = 10_000;

/** Things that one reading may still look at. */
class Looks {
  #left: number;
  #sinceTurn = 0;
  /** True where there was more to look at. */
  isSpent = false;

  constructor(most: number) {
    this.#left = most;
  }

  /** False where there are no more. Lets others of the harness run from time to time. */
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

/** Of a line such as "RssAnon:  512 kB", however large a page of this machine is; 0 where there is none. */
const bytesOf = (name: string, lines: string) =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(lines)?.[1] ?? 0);

/** Bytes. No processes can share more than all of the machine do. */
function sharedOnThisMachine(): number {
  const lines = readFileSync('/proc/meminfo', 'utf8');
  return bytesOf('Shmem', lines) + bytesOf('SwapTotal', lines) - bytesOf('SwapFree', lines);
}

/** A process and all that it has started. */
export class ProcessUse {
  readonly #pid: number;
  readonly #exactFrom: number;
  readonly #mostLooks: number;
  readonly #sharedOnMachine: () => number;
  /** What they shared when that was last counted, and what the machine had in use then; bytes. At first they share none. */
  #counted: { sharedBytes: number; ofMachine: number; atMs: number };
  /** Readings that have counted what is shared. */
  counts = 0;

  /** `exactFrom`: memory of less than that need not be exact, bytes. The other two are there for tests. */
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
   * To count takes some tens of ms of a processor. Until it is done again, all that the machine shares and swaps more
   * than at the last time is taken for theirs; what other programs give back meanwhile would hide some of theirs.
   */
  #isToCount(ownBytes: number, ofMachine: number): boolean {
    if (ownBytes + ofMachine <= this.#exactFrom) return false;
    const { sharedBytes, ofMachine: before, atMs } = this.#counted;
    return nowMs() - atMs >= recountMs || ownBytes + sharedBytes + Math.max(0, ofMachine - before) > this.#exactFrom;
  }
}

/** Their ids, and the memory that is their own. */
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
      // a browser starts others from several threads
      for (const thread of threadsOf(one)) {
        if (!(await looks.take())) break;
        left.push(...numbersOf(`/proc/${one}/task/${thread}/children`));
      }
    } catch {
      continue; // it ended meanwhile
    }
  }
  return { ids, memoryBytes };
}

/** Mappings of what memfd_create(2), mmap(2) without a file, and shmget(2) make, in proc(5)'s maps. */
const sharedMapping = /^0*(\w+)-0*(\w+) .* \/(?:memfd:.*|dev\/zero|SYSV\w+)(?: \(deleted\))?$/gm;

/** What they take, each once, whether they are mapped or only open; as far as there are looks. */
async function bytesShared(ids: readonly number[], looks: Looks): Promise<number> {
  const sizes = new Map<string, number>();
  for await (const path of sharedFilesOf(ids, looks)) {
    const file = attempt(() => statSync(path));
    if (file !== undefined) sizes.set(`${file.dev}:${file.ino}`, file.blocks * blockBytes);
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Each thread may have open files of its own. What others have mapped, the root of a user namespace may not follow. */
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
