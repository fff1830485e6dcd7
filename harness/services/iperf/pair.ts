/**
 * A pair of iperf3 programs: a receiver on the client's host that serves one test, and a sender on the server's host
 * with one or more flows. The sender's process is started early and waits in a shell until it may begin. Otherwise the
 * start of many senders at the same time would block the harness.
 */
import { once } from 'node:events';
import { CoexistError } from '../../../core/errors.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { type Child, turnToStart } from '../../../core/system/command.ts';
import { within } from '../../../core/system/deadline.ts';
import type { Network } from '../../../core/system/network.ts';
import { startMs } from './flows.ts';

type PairOptions = { network: Network; port: number; flows: number; congestionControl: string; maxMs: number };

/** Command words of a shell that executes its arguments once it has read a line. At the end of its input it exits. */
const held = ['sh', '-c', 'read -r _ && exec "$@" < /dev/null', 'sh'];

export class Pair {
  readonly port: number;
  readonly flows: number;
  /** Rejects if either program ends before `stop`. */
  readonly failed: Promise<never>;
  readonly #receiver: Child;
  readonly #sender: Child;
  #startMs: number | undefined;

  private constructor({ port, flows }: PairOptions, receiver: Child, sender: Child) {
    this.port = port;
    this.flows = flows;
    this.#receiver = receiver;
    this.#sender = sender;
    sender.process.stdin!.on('error', () => {}); // `sender.ended` reports the end
    const end = async (child: Child, what: string): Promise<never> => {
      await child.ended;
      if (child.stopping) return new Promise<never>(() => {});
      throw new CoexistError(
        'service-failed',
        `${what} ended in the middle of the trial${child.lastWords === '' ? '' : `: ${child.lastWords}`}`,
      );
    };
    this.failed = Promise.race([end(sender, 'iperf3'), end(receiver, 'the receiver (iperf3 -s)')]);
    this.failed.catch(() => {});
  }

  /** Starts both programs; resolves when the receiver listens and the sender waits for `begin`. */
  static async arm(options: PairOptions): Promise<Pair> {
    const {
      network: { hosts, addresses },
      port,
      flows,
      congestionControl,
      maxMs,
    } = options;
    await turnToStart();
    const receiver = hosts.client.start('iperf3 receiver', ['iperf3', '-s', '-1', '-p', String(port), '--forceflush']);
    try {
      const listening = once(receiver.process.stdout!, 'data'); // its first output is "Server listening"
      const gone = receiver.ended.then(() => {
        throw new CoexistError('service-failed', `iperf3 -s did not start: ${receiver.lastWords}`);
      });
      await within(Promise.race([listening, gone]), startMs, 'iperf3 -s to listen', { code: 'service-failed' });
      receiver.process.stdout!.resume();
      await turnToStart();
      return new Pair(
        options,
        receiver,
        hosts.server.start(
          'iperf3',
          [
            ...held,
            'iperf3',
            '-c',
            addresses.client,
            '-p',
            String(port),
            '-C',
            congestionControl,
            '-P',
            String(flows),
            '-t',
            String(Math.ceil(maxMs / 1000)),
            '-i',
            '0',
          ],
          { stdio: ['pipe', 'ignore', 'pipe'] },
        ),
      );
    } catch (error) {
      await receiver.stop('SIGKILL');
      throw error;
    }
  }

  /** Time at which the sender began to send; undefined before that. */
  get startMs(): number | undefined {
    return this.#startMs;
  }

  begin(): void {
    this.#startMs = nowMs();
    this.#sender.process.stdin!.end('\n');
  }

  /** Stops both programs at once, so that the receiver does not wait for data that the sender has not sent. */
  async stop(): Promise<void> {
    await Promise.all([this.#sender, this.#receiver].map(child => child.stop('SIGTERM', 1000)));
  }
}
