/**
 * Resource use of a browser, and its limits. Without limits, a page could use up the machine and disturb other programs
 * (bounds.ts).
 */
import { totalmem } from 'node:os';
import { CoexistError } from '../../../core/errors.ts';

export type Use = {
  processes: number;
  /**
   * Bytes of memory: private memory of all processes; files in the browser's /tmp and /dev/shm, which are in memory
   * (the profile, and data that a page writes); and unnamed files that the processes share.
   */
  memoryBytes: number;
  /** Number of times that the kernel refused to create another process or thread. */
  refusals?: number;
  /**
   * True if the browser has more processes, threads, mappings and open files than a reading looks at. Those beyond the
   * limit are not counted.
   */
  isPartial?: boolean;
};

export type UseLimits = { processes: number; memoryBytes: number; windows: number; downloads: number };

const gibibyte = 2 ** 30;

/** Limits of a browser. In a trial, a browser has about ten processes and half a gibibyte. */
export const useLimits: UseLimits = {
  processes: 200,
  memoryBytes: Math.min(4 * gibibyte, totalmem() / 2),
  windows: 20,
  downloads: 20,
};

/** Mean number of threads per process. Chromium's first process has the most, about 40; the others have about 15. */
const threadsOfProcess = 16;

/** Returns the limit of processes and threads together, for a kernel that counts them. */
export const tasksOf = ({ processes }: UseLimits): number => threadsOfProcess * processes;

const everyMs = 1000;

export const inGibibytes = (bytes: number) => `${(bytes / gibibyte).toFixed(1)} GiB`;

/** Returns a message about the limit that is exceeded; undefined if none is. */
export function excess(
  { processes, memoryBytes, refusals = 0, isPartial = false }: Use,
  limits: UseLimits,
): string | undefined {
  if (memoryBytes > limits.memoryBytes)
    return `the browser took ${inGibibytes(memoryBytes)} of memory, and may have ${inGibibytes(limits.memoryBytes)}`;
  if (processes > limits.processes)
    return `the browser started ${processes} processes, and may have ${limits.processes}`;
  if (refusals > 0)
    return `the browser has ${tasksOf(limits)} processes and threads, as many as it may have, and wanted more`;
  if (isPartial)
    return 'the browser has more processes, threads, mappings and open files than the harness can count, so it was ended';
  return undefined;
}

export class UseWatch {
  readonly #timer: NodeJS.Timeout;
  /** Highest memory use so far, bytes. */
  #mostMemory = 0;
  #isReading = false;
  #isStopped = false;

  /** `onExcess`: called once, with an error that names the exceeded limit. */
  constructor(read: () => Use | Promise<Use>, limits: UseLimits, onExcess: (error: CoexistError) => void) {
    const look = async () => {
      const use = await read();
      this.#isReading = false;
      this.#mostMemory = Math.max(this.#mostMemory, use.memoryBytes);
      const message = excess(use, limits);
      if (message === undefined || this.#isStopped) return;
      this.stop();
      onExcess(new CoexistError('browser-died', message));
    };
    this.#timer = setInterval(() => {
      if (this.#isReading) return; // a reading takes longer than the interval
      this.#isReading = true;
      void look();
    }, everyMs);
    this.#timer.unref();
  }

  /** Text for the message about a crash: ", with 3.9 GiB of memory" if the browser had unusually much, else empty. */
  get words(): string {
    return this.#mostMemory > gibibyte ? `, with ${inGibibytes(this.#mostMemory)} of memory` : '';
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }
}
