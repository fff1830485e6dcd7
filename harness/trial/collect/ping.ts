/** Measures ICMP round-trip times from a host to the address of another host, five per second (ping(8)). */

import { CoexistError } from '../../../core/errors.ts';
import { nowMs } from '../../../core/system/clock.ts';
import type { Child } from '../../../core/system/command.ts';
import type { Host } from '../../../core/system/host.ts';
import { LineSplitter } from '../../../core/system/jsonl.ts';
import { parsePingLine, unreadAnswer } from '../../../core/system/ping.ts';
import { printable } from '../../../core/text/printable.ts';
import type { PingRecord } from '../../record/series/ping.ts';

/** Interval of probes, s: 5 Hz as in the paper of Juntima et al. */
const pingIntervalS = 0.2;

export class PingCollector {
  readonly #child: Child;
  readonly #onPing: (ping: PingRecord) => void;
  #firstMs: number | undefined;
  #next = 1;
  /** Longest round-trip time so far, ms. */
  #longestMs = 0;
  readonly failed: Promise<never>;

  constructor(host: Host, address: string, onPing: (ping: PingRecord) => void) {
    this.#onPing = onPing;
    const unreadable = Promise.withResolvers<never>();
    const { wallOffsetMs } = host.clocks(); // ping's time stamps are from the wall clock
    const lines = new LineSplitter(line => {
      const answer = parsePingLine(line);
      if (answer !== undefined)
        this.#onAnswer(answer.answeredS * 1000 + wallOffsetMs - answer.rttMs, answer.sequence, answer.rttMs);
      else if (this.#firstMs === undefined && unreadAnswer(line) !== undefined)
        unreadable.reject(new CoexistError('probe-died', `the answers of ping cannot be read: "${printable(line)}"`));
    });
    this.#child = host.start('ping', ['ping', '-n', '-D', '-i', String(pingIntervalS), address], { isTimed: true });
    this.#child.process.stdout?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    const ended = this.#child.ended.then(() => {
      if (this.#child.stopping) return new Promise<never>(() => {});
      throw new CoexistError(
        'probe-died',
        `ping ended in the middle of the trial${this.#child.lastWords === '' ? '' : `: ${this.#child.lastWords}`}`,
      );
    });
    this.failed = Promise.race([ended, unreadable.promise]);
    this.failed.catch(() => {});
  }

  /** Ends the probing. Probes without an answer count as lost, except those that may still be answered. */
  async stop(): Promise<void> {
    const endMs = nowMs();
    await this.#child.stop('SIGINT');
    if (this.#firstMs === undefined) return;
    const patienceMs = Math.max(1000, 2 * this.#longestMs);
    while (this.#sentMs(this.#next) < endMs - patienceMs) this.#lose(this.#next++);
  }

  #sentMs(sequence: number): number {
    return this.#firstMs! + (sequence - 1) * pingIntervalS * 1000;
  }

  #lose(sequence: number): void {
    this.#onPing({ timeMs: this.#sentMs(sequence), sequence, rttMs: null });
  }

  #onAnswer(timeMs: number, sequence: number, rttMs: number): void {
    this.#firstMs ??= timeMs - (sequence - 1) * pingIntervalS * 1000;
    while (this.#next < sequence) this.#lose(this.#next++); // a FIFO does not reorder: an overtaken probe is lost
    if (sequence < this.#next) return; // a duplicate
    this.#next = sequence + 1;
    this.#longestMs = Math.max(this.#longestMs, rttMs);
    this.#onPing({ timeMs, sequence, rttMs });
  }
}
