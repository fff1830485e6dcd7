/** Captures the packets before and behind one direction of mm-link, and writes the queue log from the captures. */
import { rm } from 'node:fs/promises';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import { QueueLogWriter } from '../queue-log/writer.ts';
import { Capture } from '../recording/capture.ts';
import { capturedPackets } from './captured.ts';
import { type PassageQueue, passages } from './passages.ts';
import type { TunEnd } from './passed.ts';
import { routerEnd } from './shell.ts';

/** Returns the names of the captures of a log, before and behind the queue. */
const capturesOf = (log: string) => ({ before: `${log}.before`, behind: `${log}.behind` });

export class QueueCapture {
  readonly #before: Capture;
  readonly #behind: Capture;
  readonly #file: string;

  private constructor(before: Capture, behind: Capture, file: string) {
    this.#before = before;
    this.#behind = behind;
    this.#file = file;
  }

  /** Starts the captures. `from`: end from which mm-link reads; `to`: the one into which it writes. */
  static async start(from: TunEnd, to: TunEnd, file: string): Promise<QueueCapture> {
    // the first one to start and the last one to end is behind the queue: no packet leaves unseen
    const files = capturesOf(file);
    const behind = await Capture.start(to.namespace, routerEnd, files.behind);
    try {
      return new QueueCapture(await Capture.start(from.namespace, from.tun, files.before), behind, file);
    } catch (error) {
      await behind.stop().catch(() => {});
      throw error;
    }
  }

  /** Promises, each of which rejects when a capture fails. */
  get failed(): Promise<never>[] {
    return [this.#before.failed, this.#behind.failed];
  }

  /**
   * Ends the captures and writes the log. `queueAtEnd`: returns the queue with the packets that wait now; it is called
   * when no packets are captured any more that come to the queue.
   */
  async stop(queueAtEnd: () => PassageQueue): Promise<QueueLogEnd> {
    const before = await this.#before.stop();
    const queue = queueAtEnd();
    const behind = await this.#behind.stop();
    const clock = clockOffset();
    const log = await QueueLogWriter.create(this.#file, clock);
    const files = capturesOf(this.#file);
    let records: number;
    try {
      const packetsOf = (path: string) => capturedPackets(path, clock.offsetNs);
      for await (const record of passages(packetsOf(files.before), packetsOf(files.behind), queue))
        await log.write(record);
    } finally {
      records = await log.close();
    }
    await Promise.all(Object.values(files).map(path => rm(path)));
    return { records, lost: before.drops + behind.drops };
  }

  /** Ends the captures without a log. */
  async discard(): Promise<void> {
    await Promise.all([this.#before.stop(), this.#behind.stop()].map(stopped => stopped.catch(() => {})));
    await Promise.all(Object.values(capturesOf(this.#file)).map(path => rm(path, { force: true })));
  }
}

/**
 * Returns a time of CLOCK_MONOTONIC and the offset of the wall clock at that time, ns. Captures have times of the wall
 * clock, logs those of CLOCK_MONOTONIC. Takes up to 1 ms: `Date.now` is exact when it changes.
 */
function clockOffset(): { monotonicNs: bigint; offsetNs: bigint } {
  const first = Date.now();
  let now = first;
  while (now === first) now = Date.now();
  const monotonicNs = process.hrtime.bigint();
  return { monotonicNs, offsetNs: BigInt(now) * 1_000_000n - monotonicNs };
}
