/** A stream of full packets from the server's host to the client at a constant rate, beside a flow. */
import { join } from 'node:path';
import { Receiver, sendProbes } from '../../../shaper/calibrate/probe.ts';
import type { BenchNetwork } from './network.ts';

/** It goes on for so long if nobody stops it: a flow needs a moment to begin and to end, s. */
const marginS = 30;

export class Stream {
  readonly #receiver: Receiver;
  readonly #stop: AbortController;
  readonly #sending: Promise<unknown>;

  private constructor(receiver: Receiver, stop: AbortController, sending: Promise<unknown>) {
    this.#receiver = receiver;
    this.#stop = stop;
    this.#sending = sending;
  }

  static async start(
    { dumbbell: { hosts, addresses }, scratch }: BenchNetwork,
    rateBps: number,
    seconds: number,
  ): Promise<Stream> {
    const receiver = await Receiver.start(hosts.client, join(scratch, 'stream'));
    const stop = new AbortController();
    const plan = { payloadBytes: 1472, rateBps, seconds: seconds + marginS, prefillPackets: 0, overheadBytes: 14 };
    const sending = sendProbes(hosts.server, addresses.client, receiver.port, plan, stop.signal);
    sending.catch(() => {}); // it is stopped in the middle, and `stop` tells what else went wrong
    return new Stream(receiver, stop, sending);
  }

  async stop(): Promise<void> {
    const stopped = new Error('the stream was stopped');
    this.#stop.abort(stopped);
    try {
      await this.#sending;
    } catch (error) {
      if (error !== stopped && (error as Error).cause !== stopped) throw error;
    } finally {
      await this.#receiver.stop();
    }
  }
}
