/**
 * Changes the rate while packets flow. Each change is a line to one running tc process, since starting a program for
 * each change would make the change 3 ms late. A change keeps the queue and every packet in it.
 */

import { CoexistError } from '../../core/errors.ts';
import { nowMs } from '../../core/system/clock.ts';
import type { Child } from '../../core/system/command.ts';
import { sleepUntil } from '../../core/system/deadline.ts';
import type { Host } from '../../core/system/host.ts';
import type { RateStep } from '../../core/vocabulary/link.ts';

/** Length of the rate steps that approximate a ramp, ms. */
const stairMs = 50;

/**
 * Returns the changes of the rate: the time after the start, ms, and the new rate. A ramp is linear from the previous
 * rate and consists of several changes.
 */
export function rateChanges(rateBps: number, schedule: readonly RateStep[]): { atMs: number; rateBps: number }[] {
  const changes: { atMs: number; rateBps: number }[] = [];
  let before = rateBps;
  for (const { atMs, rateBps: to, rampMs } of schedule) {
    const stairs = Math.max(1, Math.round(rampMs / stairMs));
    for (let k = 1; k <= stairs; k++)
      changes.push({ atMs: atMs + (rampMs * (k - 1)) / stairs, rateBps: before + ((to - before) * k) / stairs });
    before = to;
  }
  return changes;
}

export class RateSchedule {
  readonly #tc: Child;
  readonly #changes: readonly { atMs: number; line: string }[];
  #stopped = false;
  #fail: (error: Error) => void = () => {};
  /** Rejects when a change of the rate fails. */
  readonly failed: Promise<never>;

  /** `lineOf`: returns tc's line for a rate in bit/s. */
  constructor(
    router: Host,
    changes: readonly { atMs: number; rateBps: number }[],
    lineOf: (rateBps: number) => string,
  ) {
    this.#changes = changes.map(({ atMs, rateBps }) => ({ atMs, line: lineOf(rateBps) }));
    this.#tc = router.start('tc', ['tc', '-batch', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {});
    this.#tc.process.stdin?.on('error', () => {}); // the end of tc is reported below
    void this.#tc.ended.then(() => {
      if (!this.#stopped)
        this.#fail(
          new CoexistError(
            'link-refused',
            `the rate of the link could not be changed: tc ended (${this.#tc.lastWords})`,
          ),
        );
    });
  }

  start(): void {
    void this.#run(nowMs());
  }

  async #run(startMs: number): Promise<void> {
    for (const { atMs, line } of this.#changes) {
      await sleepUntil(startMs + atMs);
      if (this.#stopped) return;
      this.#tc.process.stdin?.write(`${line}\n`);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#tc.process.stdin?.end();
    await this.#tc.stop();
  }
}
