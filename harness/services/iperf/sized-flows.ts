/**
 * The flows of one application that have a size. Their sender and receiver are programs of ours. iperf3 with -n ends
 * its connections before they have carried the bytes that it counted (3.12: 16 of 64 kB over 1 Mbit/s). A route sets
 * the congestion control, as for the other services.
 */

import { CoexistError } from '../../../core/errors.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { until } from '../../../core/system/deadline.ts';
import { bbr3Series } from '../../record/series/bbr3.ts';
import { tcpSeries } from '../../record/series/tcp.ts';
import type { TransportReading } from '../../record/transport.ts';
import { CongestionRoute } from '../shared/congestion-route.ts';
import { patienceMs } from '../shared/patience.ts';
import { layRoute, removeRoute } from '../shared/policy-route.ts';
import { ServerProgram } from '../shared/server-program.ts';
import { ecnRoute, requireEcn } from './ecn.ts';
import { type Ends, type Flows, type FlowsContext, startMs, tcpRecord } from './flows.ts';
import type { Params } from './params.ts';
import { takePorts } from './ports.ts';
import type { SizedReceiverConfig } from './sized-receiver.ts';
import { readReceiverLine } from './sized-receiver-line.ts';
import type { SizedSenderConfig } from './sized-sender.ts';
import { readSockets } from './sockets.ts';

type Closing = { close(): Promise<void> | void };

export class SizedFlows implements Flows {
  readonly failed: Promise<never>;
  readonly #context: FlowsContext;
  readonly #params: Params;
  readonly #port: number;
  readonly #route: CongestionRoute;
  readonly #receiver: ServerProgram;
  /** Parts of the flows; they are closed in reverse order. */
  readonly #parts: readonly Closing[];
  /** Time at which each connection began, by its port at the receiver. */
  readonly #beginMs: ReadonlyMap<number, number>;

  private constructor(
    context: FlowsContext,
    params: Params,
    port: number,
    {
      route,
      receiver,
      beginMs,
      parts,
    }: {
      route: CongestionRoute;
      receiver: ServerProgram;
      beginMs: ReadonlyMap<number, number>;
      parts: readonly (Closing & { failed?: Promise<never> })[];
    },
  ) {
    this.#context = context;
    this.#params = params;
    this.#port = port;
    this.#route = route;
    this.#receiver = receiver;
    this.#beginMs = beginMs;
    this.#parts = parts;
    this.failed = Promise.race(parts.flatMap(({ failed }) => failed ?? []));
    this.failed.catch(() => {});
  }

  /** Prepares the flows; resolves when all of them wait for `begin`. */
  static async arm(context: FlowsContext, params: Params & { bytes: number }): Promise<SizedFlows> {
    const {
      network: { hosts, addresses },
    } = context;
    const taken = takePorts(hosts.server, hosts.client, 1);
    const port = taken.ports[0]!;
    const parts: (Closing & { failed?: Promise<never> })[] = [{ close: () => taken.release() }];
    try {
      const route = await CongestionRoute.open(
        {
          host: hosts.server,
          address: addresses.server,
          firstPort: port,
          lastPort: port,
          ...(params.telemetry ? { model: record => context.write(bbr3Series, record) } : {}),
        },
        params,
      );
      parts.push(route);
      if (params.ecn === 'classic') {
        const ecn = ecnRoute({ host: hosts.client, address: addresses.client }, [port]);
        parts.push({ close: () => removeRoute(ecn) });
        await layRoute(ecn);
      }
      const sender: SizedSenderConfig = { host: addresses.server, port, bytes: params.bytes };
      parts.push(
        await ServerProgram.start(
          hosts.server,
          'the sender of iperf',
          new URL('./sized-sender.ts', import.meta.url),
          sender,
        ),
      );
      const beginMs = new Map<number, number>();
      const config: SizedReceiverConfig = { ...sender, flows: params.flows, staggerMs: params.stagger };
      const receiver = await ServerProgram.start(
        hosts.client,
        'the receiver of iperf',
        new URL('./sized-receiver.ts', import.meta.url),
        config,
        tellInto(context, beginMs),
      );
      parts.push(receiver);
      return new SizedFlows(context, params, port, { route, receiver, beginMs, parts });
    } catch (error) {
      await closeAll(parts);
      throw error;
    }
  }

  /** Begins the flows; resolves when one of them has carried data. */
  async begin(): Promise<void> {
    this.#receiver.tell('begin');
    const carries = async () =>
      (await this.#ends()).receivers.sockets.some(({ bytesReceived = 0 }) => bytesReceived > 0) ? true : undefined;
    const longestMs = patienceMs(startMs, this.#context, 'firstBytes');
    await Promise.race([this.failed, until(carries, longestMs, "iperf's first bytes", { code: 'service-failed' })]);
  }

  async sample(): Promise<Ends> {
    const ends = await this.#ends();
    for (const socket of ends.senders.sockets)
      this.#context.write(tcpSeries, tcpRecord('sender', socket, socket.peerPort, ends.senders.timeMs));
    for (const socket of ends.receivers.sockets)
      this.#context.write(tcpSeries, tcpRecord('receiver', socket, socket.localPort, ends.receivers.timeMs));
    return ends;
  }

  async read(ends?: Ends): Promise<TransportReading> {
    const { senders, receivers } = ends ?? (await this.#ends());
    const reading = await this.#route.readOf(senders.sockets);
    if (reading === null) throw new CoexistError('service-failed', 'all flows of iperf have ended');
    if (this.#params.ecn === 'classic') requireEcn(senders.sockets);
    const received = new Map(receivers.sockets.map(socket => [socket.localPort, socket.bytesReceived]));
    return {
      ...reading,
      flows: reading.flows
        .map(flow => ({
          ...flow,
          startMs: this.#beginMs.get(flow.port) ?? flow.startMs,
          receivedBytes: received.get(flow.port) ?? null,
        }))
        .sort((a, b) => a.startMs - b.startMs || a.port - b.port),
    };
  }

  async stop(): Promise<void> {
    await closeAll(this.#parts);
  }

  /** Returns the sockets of the connections. A sender's socket counts once it has sent data. */
  async #ends(): Promise<Ends> {
    const { hosts } = this.#context.network;
    const [server, client] = await Promise.all([readSockets(hosts.server), readSockets(hosts.client)]);
    return {
      senders: {
        timeMs: server.timeMs,
        sockets: server.sockets.filter(socket => socket.localPort === this.#port && (socket.bytesSent ?? 0) > 0),
      },
      receivers: { timeMs: client.timeMs, sockets: client.sockets.filter(socket => socket.peerPort === this.#port) },
    };
  }
}

/**
 * Returns a function that handles lines of the receiver. It stores the begin of connections in `beginMs`, and calls
 * `over` at their ends.
 */
function tellInto(
  { over = () => {}, network: { hosts } }: FlowsContext,
  beginMs: Map<number, number>,
): (line: string) => void {
  let ended = 0;
  return text => {
    const line = readReceiverLine(text, hosts.client);
    const timeMs = nowMs();
    if ('begun' in line) beginMs.set(line.begun, timeMs);
    else over({ timeMs, number: ++ended, durationMs: line.durationMs, bytes: line.bytes });
  };
}

async function closeAll(parts: readonly Closing[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close();
}
