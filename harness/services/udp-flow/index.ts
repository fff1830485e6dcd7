/**
 * A data transfer over UDP: packets of one size from server to client at a rate that is constant, or changes at given
 * times, without congestion control.
 */

import { duration, integer, object, rate, z } from '../../../core/schema/schema.ts';
import { type ClockOffset, nowMs } from '../../../core/system/clock.ts';
import { until } from '../../../core/system/deadline.ts';
import { fullFrameBytes, overheadBytes } from '../../../core/vocabulary/link.ts';
import { udpHeadersBytes } from '../../../core/vocabulary/udp.ts';
import { serviceSeries } from '../../record/series/service.ts';
import type {
  ArmedService,
  LiveValues,
  RunningService,
  ServicePlugin,
  StudyContext,
  TrialContext,
} from '../service.ts';
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

/** Lowest rate, bit/s, so that packets come often enough to tell that the flow lives. */
const leastBps = 10e3;

const paramsSchema = object({
  rate: rate({ min: leastBps, max: 100e6 }).default(2e6).describe('UDP payload that the server sends.'),
  packetBytes: integer({ min: 16, max: largestBytes })
    .default(1200)
    .describe('UDP payload of each packet. A QUIC tunnel in datagram mode takes 1433 bytes at most.'),
  changes: z
    .array(
      object({
        after: duration({ moreThan: 0, max: 24 * 3600e3 }).describe('Time of the change, from the first packet on.'),
        rate: rate({ min: 0, max: 100e6 }).describe('UDP payload from then on; `0mbit` sends nothing.'),
      }),
    )
    .default([])
    .describe('Changes of the rate, in order (RFC 8868, section 5.3).'),
}).superRefine(({ changes }, context) => {
  for (const [k, { after, rate: to }] of changes.entries()) {
    if (to > 0 && to < leastBps)
      context.addIssue({ code: 'custom', message: 'must be 0 or at least 10kbit', path: ['changes', k, 'rate'] });
    if (after <= (changes[k - 1]?.after ?? 0))
      context.addIssue({
        code: 'custom',
        message: 'is not after the change before it; write the changes in the order of their times',
        path: ['changes', k, 'after'],
      });
  }
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

  /** Starts both programs; nothing is sent before `begin`. */
  static async arm({ network }: StudyContext, trial: TrialContext, params: Params): Promise<ArmedService> {
    const { hosts, addresses } = network;
    const to = { host: addresses.server, port: flowPort };
    const changes = params.changes.map(({ after, rate: rateBps }) => ({ afterMs: after, rateBps }));
    const sending: SenderConfig = { ...to, rateBps: params.rate, packetBytes: params.packetBytes, changes };
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
      return { begin: () => flow.#begin(), stop: () => flow.stop() };
    } catch (error) {
      for (const part of parts.toReversed()) await part.close();
      throw error;
    }
  }

  async #begin(): Promise<UdpFlow> {
    try {
      this.#receiver.tell('begin');
      const begun = async () => ((await this.#read()).packets > 0 ? true : undefined);
      await Promise.race([
        this.failed,
        until(begun, patienceMs(startMs, this.#trial, 'firstBytes'), 'the first packet of udp-flow', {
          code: 'service-failed',
        }),
      ]);
      this.readyMs = nowMs();
      return this;
    } catch (error) {
      await this.stop();
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
  capBps: ({ rate: firstBps, packetBytes, changes }) =>
    (Math.max(firstBps, ...changes.map(change => change.rate)) *
      (packetBytes + udpHeadersBytes + overheadBytes.ethernet)) /
    packetBytes,
  warmUpMs: () => 1000,
  overUdp: true,
  overMachines: () => null,
  async check() {},
  preparationKey: () => '',
  prepare: async study => ({
    open: async (trial, params) => (await UdpFlow.arm(study, trial, params)).begin(),
    arm: (trial, params) => UdpFlow.arm(study, trial, params),
    close: async () => {},
  }),
};
