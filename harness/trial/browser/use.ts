/**
 * Resource use of a browser, and its limits: without them a page could use up the machine, and other programs on it
 * would suffer (bounds.ts).
 */
import { totalmem } from 'node:os';
import { CoexistError } from '../../../core/errors.ts';

export type Use = {
  processes: number;
  /**
   * Memory that is a process's own, all processes together, what lies in their own /tmp and /dev/shm, which are in
   * memory (the profile, and what a page writes), and files without a name that they share; bytes.
   */
  memoryBytes: number;
  /** How often the kernel has refused it another process or thread. */
  refusals?: number;
  /** True where it has more processes, threads, mappings and open files than are looked at; the rest is not counted. */
  isPartial?: boolean;
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

export const inGibibytes = (bytes: number) => `${(bytes / gibibyte).toFixed(1)} GiB`;

/** Why that is too much; undefined where it is not. */
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
  /** Bytes. */
  #mostMemory = 0;
  #isReading = false;
  #isStopped = false;

  /** `onExcess` is called once, with an error that says of what there was too much. */
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
      if (this.#isReading) return; // one that takes longer than the interval
      this.#isReading = true;
      void look();
    }, everyMs);
    this.#timer.unref();
  }

  /** ", with 3.9 GiB of memory" where a browser that crashed had more than it usually has; else nothing. */
  get words(): string {
    return this.#mostMemory > gibibyte ? `, with ${inGibibytes(this.#mostMemory)} of memory` : '';
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }
}
