/** A pair of iperf3 programs: a receiver on the client's host that serves one test, and a sender on the server's with one or more flows. */
import { once } from 'node:events';
import { nowMs } from '../../../core/clock.ts';
import type { Child } from '../../../core/command.ts';
import { within } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { Network } from '../../../core/network.ts';
import { startMs } from './flows.ts';

export type PairOptions = { network: Network; port: number; flows: number; congestionControl: string; maxMs: number };

export class Pair {
  readonly port: number;
  readonly flows: number;
  /** When the sender was started. */
  readonly startMs: number;
  /** Rejects when either program ends before `stop`. */
  readonly failed: Promise<never>;
  readonly #receiver: Child;
  readonly #sender: Child;

  private constructor({ port, flows }: PairOptions, receiver: Child, sender: Child) {
    this.port = port;
    this.flows = flows;
    this.startMs = nowMs();
    this.#receiver = receiver;
    this.#sender = sender;
    const end = async (child: Child, what: string): Promise<never> => {
      await child.ended;
      if (child.stopping) return new Promise<never>(() => {});
      throw new CoexistError('service-failed', `${what} ended in the middle of the trial${child.lastWords === '' ? '' : `: ${child.lastWords}`}`);
    };
    this.failed = Promise.race([end(sender, 'iperf3'), end(receiver, 'the receiver (iperf3 -s)')]);
    this.failed.catch(() => {});
  }

  /** Resolves when the sender has been started. */
  static async start(options: PairOptions): Promise<Pair> {
    const { network: { hosts, addresses }, port, flows, congestionControl, maxMs } = options;
    const receiver = hosts.client.start('iperf3 receiver', ['iperf3', '-s', '-1', '-p', String(port), '--forceflush']);
    try {
      const listening = once(receiver.process.stdout!, 'data'); // its first words are "Server listening"
      const gone = receiver.ended.then(() => { throw new CoexistError('service-failed', `iperf3 -s did not start: ${receiver.lastWords}`); });
      await within(Promise.race([listening, gone]), startMs, 'iperf3 -s to listen', { code: 'service-failed' });
      receiver.process.stdout!.resume();
      return new Pair(options, receiver, hosts.server.start('iperf3', [
        'iperf3', '-c', addresses.client, '-p', String(port), '-C', congestionControl, '-P', String(flows), '-t', String(Math.ceil(maxMs / 1000)), '-i', '0',
      ], { stdio: ['ignore', 'ignore', 'pipe'] }));
    } catch (error) {
      await receiver.stop('SIGKILL');
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#receiver.stopping = true; // it serves one test and ends with it
    await this.#sender.stop('SIGTERM', 1000);
    await this.#receiver.stop('SIGTERM', 1000);
  }
}
