/**
 * Short TCP flows: bursts of connections that fetch small files, with pauses between them, as web pages cause them
 * (RFC 8868, section 5.1).
 */
import { type ClockOffset, nowMs } from '../../../core/system/clock.ts';
import { serviceSeries } from '../../record/series/service.ts';
import type { TransportReading } from '../../record/transport.ts';
import { tcpSockets } from '../../trial/collect/tcp-sockets.ts';
import type {
  ArmedService,
  LiveValues,
  RunningService,
  ServicePlugin,
  StudyContext,
  TrialContext,
} from '../service.ts';
import { checkCongestionControl, neededBbr3 } from '../shared/congestion-param.ts';
import { CongestionRoute } from '../shared/congestion-route.ts';
import { Goodput } from '../shared/goodput.ts';
import { ServerProgram } from '../shared/server-program.ts';
import { type Params, paramsSchema } from './params.ts';
import { type Received, readReceived } from './received.ts';
import type { ReceiverConfig } from './receiver.ts';
import type { SenderConfig } from './sender.ts';

/** TCP port of the sender. */
const port = 8200;
const answerMs = 5000;

class ShortFlows implements RunningService {
  readonly failed: Promise<never>;
  readonly readyMs = nowMs();
  readonly #study: StudyContext;
  readonly #trial: TrialContext;
  readonly #receiver: ServerProgram;
  readonly #route: CongestionRoute;
  /** Parts of the service; they are closed in reverse order. */
  readonly #parts: readonly { close(): Promise<void> }[];
  readonly #goodput = new Goodput();
  #ended = 0;
  #transport: TransportReading | null = null;

  private constructor(
    study: StudyContext,
    trial: TrialContext,
    route: CongestionRoute,
    sender: ServerProgram,
    receiver: ServerProgram,
  ) {
    this.#study = study;
    this.#trial = trial;
    this.#receiver = receiver;
    this.#route = route;
    this.#parts = [route, sender, receiver];
    this.failed = Promise.race([route.failed, sender.failed, receiver.failed]);
    this.failed.catch(() => {});
  }

  /** Starts both programs; no connection begins before `begin`. */
  static async arm(study: StudyContext, trial: TrialContext, params: Params): Promise<ArmedService> {
    const { hosts, addresses } = study.network;
    const to = { host: addresses.server, port };
    const sending: SenderConfig = to;
    const { connections, minBytes, maxBytes, idle, sources, on } = params;
    const { seed = 0 } = trial;
    const receiving: ReceiverConfig = { ...to, connections, minBytes, maxBytes, idleMs: idle, sources, on, seed };
    const program = (file: string) => new URL(file, import.meta.url);
    const parts: { close(): Promise<void> }[] = [];
    const added = <P extends { close(): Promise<void> }>(part: P): P => {
      parts.push(part);
      return part;
    };
    try {
      const route = added(
        await CongestionRoute.open(
          { host: hosts.server, address: addresses.server, firstPort: port, lastPort: port },
          params,
        ),
      );
      const start = async (host: typeof hosts.server, end: string, config: object) =>
        added(await ServerProgram.start(host, `the ${end} of short-flows`, program(`./${end}.ts`), config));
      const sender = await start(hosts.server, 'sender', sending);
      const receiver = await start(hosts.client, 'receiver', receiving);
      return {
        begin: async () => {
          receiver.tell('begin');
          return new ShortFlows(study, trial, route, sender, receiver);
        },
        stop: () => closeAll(parts),
      };
    } catch (error) {
      await closeAll(parts);
      throw error;
    }
  }

  async #read(): Promise<Received> {
    const { client } = this.#study.network.hosts;
    return readReceived(await Promise.race([this.failed, this.#receiver.ask('read', answerMs)]), client);
  }

  async collect(): Promise<LiveValues> {
    const { receivedBytes, open, ended } = await this.#read();
    const timeMs = nowMs();
    this.#trial.write(serviceSeries, { timeMs, kind: 'transfer', receivedBytes, flows: open });
    for (const { endMs, durationMs, bytes } of ended)
      this.#trial.write(serviceSeries, { timeMs: endMs, kind: 'batch', number: ++this.#ended, durationMs, bytes });
    const sockets = await tcpSockets(this.#study.network.hosts.server, port, port);
    const sending = sockets.filter(({ localPort, bytesSent = 0 }) => localPort === port && bytesSent > 0);
    this.#transport = (await this.#route.readOf(sending)) ?? this.#transport;
    return this.#goodput.since(timeMs, receivedBytes);
  }

  /** Offsets are 0, since all times are from the harness's clock. */
  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    const own = { offsetMs: 0, uncertaintyMs: 0 };
    return { server: own, page: own };
  }

  describe(): Record<string, unknown> {
    return { endedFlows: this.#ended };
  }

  transport(): TransportReading | null {
    return this.#transport;
  }

  stop(): Promise<void> {
    return closeAll(this.#parts);
  }
}

async function closeAll(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close();
}

export const plugin: ServicePlugin<Params> = {
  id: 'short-flows',
  kind: 'transfer',
  title: 'short TCP flows',
  source: 'RFC 8868, section 5.1; RFC 8867, section 5.7',
  params: paramsSchema,
  capBps: () => null,
  warmUpMs: () => 0, // there is no steady rate to wait for
  flows: ({ connections, sources }) => connections * sources,
  cores: () => 0, // their cost is counted with the link, since it grows with the rate (trial/cores.ts)
  check: ({ congestionControl }) => checkCongestionControl(congestionControl),
  neededBbr3: params => neededBbr3(params),
  kernelControl: ({ congestionControl }) => congestionControl,
  preparationKey: () => '',
  prepare: async study => ({
    open: async (trial, params) => (await ShortFlows.arm(study, trial, params)).begin(),
    arm: (trial, params) => ShortFlows.arm(study, trial, params),
    close: async () => {},
  }),
};
