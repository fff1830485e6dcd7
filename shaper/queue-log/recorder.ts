/** Keeps the log of a device's queue while something runs: starts shaper/native/queue-log.c on a host and ends it. */
import { fileURLToPath } from 'node:url';
import type { Child } from '../../harness/base/command.ts';
import { within } from '../../harness/base/deadline.ts';
import { CoexistError } from '../../harness/base/errors.ts';
import type { Host } from '../../harness/base/host.ts';
import { LineSplitter } from '../../harness/base/jsonl.ts';

const build = new URL('../native/build/', import.meta.url);
export const queueLogLoader = fileURLToPath(new URL('coexist-qlog', build));
export const queueLogObject = fileURLToPath(new URL('queue-log.bpf.o', build));

/** Loading and checking the programs takes the kernel a fraction of a second. */
const startMs = 15_000;
/** What is still in memory goes to the disk at the end. */
const stopMs = 15_000;

export type QueueLogEnd = {
  records: number;
  /** Events that found no room on their way to the file: a log with any cannot be relied on. */
  lost: number;
  /** Processor time of the writer, user and system. */
  cpuMs: number;
  /** Packets that are missing from the capture; undefined without one. */
  pcapDrops: number | undefined;
};

export class QueueLogRecorder {
  /** Rejects when the log ends by itself: `disk-full` or `probe-died`. Never resolves. */
  readonly failed: Promise<never>;
  readonly #child: Child;
  readonly #lines: string[] = [];
  #onLine: () => void = () => {};

  private constructor(child: Child) {
    this.#child = child;
    const splitter = new LineSplitter(line => {
      this.#lines.push(line);
      this.#onLine();
    });
    child.process.stdout!.setEncoding('utf8').on('data', (text: string) => splitter.push(text));
    child.process.stdin!.on('error', () => {}); // it has ended; that is told by its end
    this.failed = child.ended.then(() => {
      if (child.stopping) return new Promise<never>(() => {});
      throw this.#error('the queue log ended in the middle of the trial');
    });
    this.failed.catch(() => {});
  }

  /**
   * Starts the log of a device's queue; everything that happens after this has resolved is in it. With `pcap` it also writes the
   * headers of what leaves the device into a file of that name. Throws `missing-kernel-feature` where the kernel or the helper does not do it.
   */
  static async start(host: Host, device: string, file: string, options: { pcap?: string } = {}): Promise<QueueLogRecorder> {
    // its stdin stays open as long as we live: it ends with us
    const child = host.start('queue log', [queueLogLoader, queueLogObject, device, file, ...(options.pcap === undefined ? [] : ['--pcap', options.pcap])], { stdio: ['pipe', 'pipe', 'pipe'] });
    const recorder = new QueueLogRecorder(child);
    const ready = new Promise<void>(resolve => { recorder.#onLine = resolve; });
    const ended = child.ended.then(() => {
      throw recorder.#error('the queue log did not start', 'missing-kernel-feature');
    });
    try {
      await within(Promise.race([ready, ended]), startMs, 'the queue log to start');
    } catch (error) {
      await child.stop('SIGKILL');
      throw error;
    }
    return recorder;
  }

  /** Ends the log. When this has resolved, the file is complete. Throws where it could not be written. */
  async stop(): Promise<QueueLogEnd> {
    await this.#child.stop('SIGTERM', stopMs);
    const { status } = await this.#child.ended;
    if (status !== 0) throw this.#error('the queue log could not be completed');
    const end = JSON.parse(this.#lines.at(-1) ?? '{}') as { records: number; lost: number; cpuMs: number; pcapDrops?: number };
    return { records: end.records, lost: end.lost, cpuMs: end.cpuMs, pcapDrops: end.pcapDrops };
  }

  #error(what: string, otherwise: 'probe-died' | 'missing-kernel-feature' = 'probe-died'): CoexistError {
    const said = this.#child.lastWords;
    const message = said === '' ? what : `${what}: ${said}`;
    if (said.includes('No space left on device')) return new CoexistError('disk-full', message, { hint: 'free some room or choose another place with --out' });
    return new CoexistError(otherwise, message, otherwise === 'probe-died' ? {} : {
      hint: 'the queue log needs root and a kernel of 6.1 or newer with BPF, BTF and trace points, not in lockdown; build the helper with "npm run setup"',
    });
  }
}
