/** A pair of iperf3 programs: a receiver at the client that serves one test, and a sender at the flooder with one or more flows. */
import { once } from 'node:events';
import { nowMs } from '../../../core/clock.ts';
import type { Child } from '../../../core/command.ts';
import { within } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { Network } from '../../../core/network.ts';

/** How long a receiver may take to listen, and a sender to send. */
export const startMs = 8000;

export type PairOptions = { network: Network; port: number; flows: number; congestionControl: string; maxMs: number };

export class Pair {
  readonly port: number;
  readonly flows: number;
  /** When the sender was started. */
  readonly startMs: number;
  /** Rejects when either program ends before `stop`. */
  readonly failed: Promise<never>;
  readonly #server: Child;
  readonly #client: Child;

  private constructor(options: PairOptions, server: Child, client: Child) {
    this.port = options.port;
    this.flows = options.flows;
    this.startMs = nowMs();
    this.#server = server;
    this.#client = client;
    const end = async (child: Child, what: string): Promise<never> => {
      await child.ended;
      if (child.stopping) return new Promise<never>(() => {});
      throw new CoexistError('flood-died', `${what} ended in the middle of the trial${child.lastWords === '' ? '' : `: ${child.lastWords}`}`);
    };
    this.failed = Promise.race([end(client, 'the flood (iperf3)'), end(server, 'the flood\'s receiver (iperf3 -s)')]);
    this.failed.catch(() => {});
  }

  /** Resolves when the sender has been started. */
  static async start(options: PairOptions): Promise<Pair> {
    const { network: { hosts, addresses }, port, flows, congestionControl, maxMs } = options;
    const server = hosts.client.start('iperf3 receiver', ['iperf3', '-s', '-1', '-p', String(port), '--forceflush']);
    try {
      const listening = once(server.process.stdout!, 'data'); // its first words are "Server listening"
      const gone = server.ended.then(() => { throw new CoexistError('flood-died', `iperf3 -s did not start: ${server.lastWords}`); });
      await within(Promise.race([listening, gone]), startMs, 'iperf3 -s to listen', { code: 'flood-died' });
      server.process.stdout!.resume();
      return new Pair(options, server, hosts.server.start('iperf3', [
        'iperf3', '-c', addresses.client, '-p', String(port), '-C', congestionControl, '-P', String(flows), '-t', String(Math.ceil(maxMs / 1000)), '-i', '0',
      ], { stdio: ['ignore', 'ignore', 'pipe'] }));
    } catch (error) {
      await server.stop('SIGKILL');
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#server.stopping = true; // it serves one test and ends with it
    await this.#client.stop('SIGTERM', 1000);
    await this.#server.stop('SIGTERM', 1000);
  }
}
