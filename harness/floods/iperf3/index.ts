/** A greedy download: iperf3 with a chosen congestion control and number of flows, which may begin one after another. */
import { nowMs } from '../../../core/clock.ts';
import { sleepUntil, until } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import { choice, duration, integer, object, text, z } from '../../../core/schema.ts';
import { tcpSockets } from '../../collect/tcp-sockets.ts';
import type { TcpSocket } from '../../collect/tcp-sockets.ts';
import type { TcpRecord } from '../../record/series.ts';
import type { FloodReading } from '../../record/trial-file.ts';
import { bbr3Budgets } from '../../../shaper/bbr3/telemetry.ts';
import type { FloodContext, FloodPlugin, RunningFlood } from '../flood.ts';
import { Bbr3Flows } from './bbr3-flows.ts';
import { labelSocket, requireUsed, usableCongestionControl } from './congestion-control.ts';
import type { Usable } from './congestion-control.ts';
import { Pair, startMs } from './pair.ts';

const paramsSchema = object({
  congestionControl: text().default('bbr').describe('TCP congestion control of the sender: the kernel\'s name, "bbr3" (loaded by us) or "bbr3-kernel" (a kernel\'s own BBRv3).'),
  flows: integer({ min: 1, max: 64 }).default(1).describe('Parallel TCP connections.'),
  stagger: duration({ min: 0, max: 600e3 }).default(0).describe('Time from the start of one flow to that of the next.'),
  telemetry: z.boolean({ error: issue => `${JSON.stringify(issue.input)} is not true or false` }).default(true)
    .describe('Writes down BBRv3\'s model of the path ten times a second, and its every change of state.'),
  bbr3Budget: choice(bbr3Budgets).default('draft')
    .describe('What "bbr3" reckons with where the BDP is a few packets: "draft" probes after as many rounds as the BDP has packets; '
      + '"kernel" counts the room for bursts, too, as Google\'s kernel.'),
});

type Params = z.output<typeof paramsSchema>;

const firstPort = 5201;

/** iperf3's control connection sends next to nothing. */
const dataBytes = 10_000;

class Iperf3Flood implements RunningFlood {
  readonly failed: Promise<never>;
  readonly #fail: (error: unknown) => void;
  readonly #context: FloodContext;
  readonly #params: Params;
  readonly #usable: Usable;
  readonly #bbr3: Bbr3Flows | undefined;
  /** Those that have begun to send. */
  readonly #pairs: Pair[] = [];
  readonly #endMs: number;
  readonly #stop = new AbortController();
  #begun: Promise<void> = Promise.resolve();

  private constructor(context: FloodContext, params: Params, usable: Usable, bbr3: Bbr3Flows | undefined) {
    this.#context = context;
    this.#params = params;
    this.#usable = usable;
    this.#bbr3 = bbr3;
    this.#endMs = nowMs() + context.maxMs;
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.failed.catch(() => {});
    this.#fail = reject;
    bbr3?.failed.catch(reject);
  }

  static async start(context: FloodContext, params: Params): Promise<Iperf3Flood> {
    const usable = await usableCongestionControl(params.congestionControl);
    const lastPort = firstPort + pairsOf(params) - 1;
    const { network: { hosts: { server: host }, addresses }, lease } = context;
    const bbr3 = usable.ours ? await Bbr3Flows.prepare({
      host, lease, budget: params.bbr3Budget, record: record => { if (params.telemetry) context.model(record); },
      flowPort: ({ source, sourcePort, destinationPort }) => (source === addresses.server && destinationPort >= firstPort && destinationPort <= lastPort ? sourcePort : null),
    }) : undefined;
    const flood = new Iperf3Flood(context, params, usable, bbr3);
    try {
      await flood.#begin(0);
    } catch (error) {
      await flood.stop();
      throw error;
    }
    flood.#begun = flood.#beginOthers();
    return flood;
  }

  async #begin(index: number): Promise<void> {
    const { network } = this.#context;
    const flows = this.#params.stagger === 0 ? this.#params.flows : 1;
    const pair = await Pair.start({ network, port: firstPort + index, flows, congestionControl: this.#usable.name, maxMs: this.#endMs - nowMs() });
    pair.failed.catch(this.#fail);
    try {
      const sends = async () => ((await this.#dataSockets()).filter(socket => socket.peerPort === pair.port).length === flows ? true : undefined);
      await Promise.race([pair.failed, until(sends, startMs, 'the flood to send', { code: 'flood-died' })]);
    } catch (error) {
      await pair.stop();
      throw error;
    }
    this.#pairs.push(pair);
  }

  /** The flows after the first, each in its time, however long the one before takes to send through a full queue. */
  async #beginOthers(): Promise<void> {
    const beginMs = this.#pairs[0]!.startMs;
    const others = Array.from({ length: pairsOf(this.#params) - 1 }, async (_, index) => {
      try {
        await sleepUntil(beginMs + (index + 1) * this.#params.stagger, this.#stop.signal);
        await this.#begin(index + 1);
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#fail(error);
      }
    });
    await Promise.all(others);
  }

  async sample(): Promise<void> {
    const { hosts } = this.#context.network;
    const [senders, receivers] = await Promise.all([
      this.#dataSockets().then(sockets => ({ sockets, timeMs: nowMs() })),
      tcpSockets(hosts.client, firstPort, this.#lastPort).then(sockets => ({ sockets, timeMs: nowMs() })),
    ]);
    for (const socket of senders.sockets) this.#record('sender', socket, socket.localPort, senders.timeMs);
    const ports = new Set(senders.sockets.map(socket => socket.localPort));
    for (const socket of receivers.sockets) if (ports.has(socket.peerPort)) this.#record('receiver', socket, socket.peerPort, receivers.timeMs);
  }

  async read(): Promise<FloodReading> {
    const begun = new Map(this.#pairs.map(pair => [pair.port, pair]));
    const flows = this.#pairs.reduce((sum, pair) => sum + pair.flows, 0);
    const sockets = (await this.#dataSockets()).filter(socket => begun.has(socket.peerPort));
    requireUsed(this.#usable, sockets, 'a flow of the flood', 'flood-died');
    if (sockets.length !== flows) throw new CoexistError('flood-died', `the flood has ${sockets.length} flows, not ${flows}`);
    const [models, received] = await Promise.all([
      this.#bbr3?.prove(sockets.map(socket => socket.localPort)),
      tcpSockets(this.#context.network.hosts.client, firstPort, this.#lastPort).then(found => new Map(found.map(socket => [socket.peerPort, socket.bytesReceived]))),
    ]);
    return {
      ...this.#bbr3?.label ?? await labelSocket(this.#usable.name, sockets[0]!.version),
      flows: sockets.map(socket => {
        const model = models?.get(socket.localPort);
        return {
          port: socket.localPort, congestionControl: socket.congestionControl, startMs: begun.get(socket.peerPort)!.startMs,
          retransmittedBytes: socket.bytesRetransmitted ?? 0, sentBytes: socket.bytesSent ?? null, receivedBytes: received.get(socket.localPort) ?? null,
          ...model === undefined ? {} : { model },
        };
      }).sort((a, b) => a.startMs - b.startMs || a.port - b.port),
      ...this.#bbr3 === undefined ? {} : { loaded: this.#bbr3.loaded },
    };
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#begun;
    await Promise.all(this.#pairs.map(pair => pair.stop()));
    await this.#bbr3?.stop();
  }

  get #lastPort(): number {
    return firstPort + pairsOf(this.#params) - 1;
  }

  /** The senders' sockets that carry data. */
  async #dataSockets(): Promise<TcpSocket[]> {
    const sockets = await tcpSockets(this.#context.network.hosts.server, firstPort, this.#lastPort);
    return sockets.filter(socket => (socket.bytesSent ?? 0) > dataBytes);
  }

  #record(end: 'sender' | 'receiver', socket: TcpSocket, flowPort: number, timeMs: number): void {
    const { localPort: _local, peerPort: _peer, version: _version, ...rest } = socket;
    const record: TcpRecord = { timeMs, end, port: flowPort, ...rest };
    this.#context.record(record);
  }
}

/** Flows that begin at different times need programs of their own. */
function pairsOf({ flows, stagger }: Params): number {
  return stagger === 0 ? 1 : flows;
}

export const plugin: FloodPlugin = {
  id: 'iperf3',
  title: 'iperf3 download',
  source: 'Juntima et al., section 3: attacker D; iperf3(1)',
  params: paramsSchema,
  check: async (_network, params: Params) => { await usableCongestionControl(params.congestionControl); },
  start: (context, params: Params) => Iperf3Flood.start(context, params),
};
