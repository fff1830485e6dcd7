/**
 * A data transfer over UDP: packets of one size at a constant rate from server to client, without congestion control.
 */

import { integer, object, rate, type z } from '../../../core/schema/schema.ts';
import { type ClockOffset, nowMs } from '../../../core/system/clock.ts';
import { until } from '../../../core/system/deadline.ts';
import { fullFrameBytes, overheadBytes } from '../../../core/vocabulary/link.ts';
import { udpHeadersBytes } from '../../../core/vocabulary/udp.ts';
import { serviceSeries } from '../../record/series/service.ts';
import type { LiveValues, RunningService, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { Goodput } from '../shared/goodput.ts';
import { patienceMs } from '../shared/patience.ts';
import { ServerProgram } from '../shared/server-program.ts';
import { flowPort, type Received } from './packet.ts';
import { readReceived } from './received.ts';
import type { ReceiverConfig } from './receiver.ts';
import type { SenderConfig } from './sender.ts';

const startMs = 10_000;
const answerMs = 2000;
const largestBytes = fullFrameBytes({ bytes: 'ip' }) - udpHeadersBytes;

const paramsSchema = object({
  rate: rate({ min: 10e3, max: 100e6 }).default(2e6).describe('UDP payload that the server sends.'),
  packetBytes: integer({ min: 16, max: largestBytes })
    .default(1200)
    .describe('UDP payload of each packet. A QUIC tunnel in datagram mode takes 1433 bytes at most.'),
});
type Params = z.output<typeof paramsSchema>;

class UdpFlow implements RunningService {
  readonly failed: Promise<never>;
  readyMs = 0;
  readonly #sender: ServerProgram;
  readonly #receiver: ServerProgram;
  readonly #network: StudyContext['network'];
  readonly #trial: TrialContext;
  readonly #goodput = new Goodput();
  #last: Received | null = null;

  private constructor(
    sender: ServerProgram,
    receiver: ServerProgram,
    network: StudyContext['network'],
    trial: TrialContext,
  ) {
    this.#network = network;
    this.#sender = sender;
    this.#receiver = receiver;
    this.#trial = trial;
    this.failed = Promise.race([sender.failed, receiver.failed]);
    this.failed.catch(() => {});
  }

  static async open({ network }: StudyContext, trial: TrialContext, params: Params): Promise<UdpFlow> {
    const { hosts, addresses } = network;
    const to = { host: addresses.server, port: flowPort };
    const sending: SenderConfig = { ...to, rateBps: params.rate, packetBytes: params.packetBytes };
    const receiving: ReceiverConfig = { ...to, address: addresses.client };
    const program = (file: string) => new URL(file, import.meta.url);
    const parts: ServerProgram[] = [];
    try {
      parts.push(await ServerProgram.start(hosts.server, 'the sender of udp-flow', program('./sender.ts'), sending));
      await trial.tunnel?.carry(flowPort);
      parts.push(
        await ServerProgram.start(hosts.client, 'the receiver of udp-flow', program('./receiver.ts'), receiving),
      );
      const [sender, receiver] = parts as [ServerProgram, ServerProgram];
      const flow = new UdpFlow(sender, receiver, network, trial);
      receiver.tell('begin');
      const begun = async () => ((await flow.#read()).packets > 0 ? true : undefined);
      await Promise.race([
        flow.failed,
        until(begun, patienceMs(startMs, trial, 'firstBytes'), 'the first packet of udp-flow', {
          code: 'service-failed',
        }),
      ]);
      flow.readyMs = nowMs();
      return flow;
    } catch (error) {
      for (const part of parts.toReversed()) await part.close();
      throw error;
    }
  }

  async #read(): Promise<Received> {
    const line = await Promise.race([this.failed, this.#receiver.ask('read', answerMs)]);
    return (this.#last = readReceived(line, this.#network.hosts.client));
  }

  async collect(): Promise<LiveValues> {
    const { bytes } = await this.#read();
    const timeMs = nowMs();
    this.#trial.write(serviceSeries, { timeMs, kind: 'transfer', receivedBytes: bytes, flows: 1 });
    return this.#goodput.since(timeMs, bytes);
  }

  /** Offsets are 0, since all times are from the harness's clock. */
  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    const own = { offsetMs: 0, uncertaintyMs: 0 };
    return { server: own, page: own };
  }

  describe(): Record<string, unknown> {
    return { received: this.#last };
  }

  /** Null: the transfer has no congestion control. */
  transport(): null {
    return null;
  }

  async stop(): Promise<void> {
    await this.#receiver.close();
    await this.#sender.close();
  }
}

export const plugin: ServicePlugin<Params> = {
  id: 'udp-flow',
  kind: 'baseline',
  title: 'UDP flow',
  source: 'own; as iperf3 -u',
  params: paramsSchema,
  capBps: ({ rate: payloadBps, packetBytes }) =>
    (payloadBps * (packetBytes + udpHeadersBytes + overheadBytes.ethernet)) / packetBytes,
  warmUpMs: () => 1000,
  overUdp: true,
  overMachines: () => null,
  async check() {},
  preparationKey: () => '',
  prepare: async study => ({
    open: (trial, params) => UdpFlow.open(study, trial, params),
    close: async () => {},
  }),
};
