/**
 * The flows of one application that have no end, sent by iperf3. They are prepared in advance and begin all at once or
 * one after another. Each flow is proved to use the requested congestion control, and is read at both ends.
 */

import { CoexistError } from '../../../core/errors.ts';
import { sleepUntil, until } from '../../../core/system/deadline.ts';
import { dctcpInKernel, dctcpName } from '../../../shaper/marking/dctcp.ts';
import { bbr3Series } from '../../record/series/bbr3.ts';
import { tcpSeries } from '../../record/series/tcp.ts';
import type { TransportReading } from '../../record/transport.ts';
import { Bbr3Flows } from '../shared/bbr3-flows.ts';
import { labelSocket, requireUsed, type Usable, usableCongestionControl } from '../shared/congestion-control.ts';
import { patienceMs } from '../shared/patience.ts';
import { layRoute, type PolicyRoute, removeRoute } from '../shared/policy-route.ts';
import { ecnRoute, requireEcn } from './ecn.ts';
import { type Ends, type Flows, type FlowsContext, startMs, tcpRecord } from './flows.ts';
import { Pair } from './pair.ts';
import { type Params, pairsOf } from './params.ts';
import { type TakenPorts, takePorts } from './ports.ts';
import { ScalableFlows } from './scalable.ts';
import { readSockets, type SocketReading } from './sockets.ts';

/** Fewest sent bytes of a data socket. A socket that has sent less is iperf3's control connection. */
const dataBytes = 10_000;

export class EndlessFlows implements Flows {
  readonly failed: Promise<never>;
  readonly #fail: (error: unknown) => void;
  readonly #context: FlowsContext;
  readonly #params: Params;
  readonly #usable: Usable;
  readonly #taken: TakenPorts;
  readonly #bbr3: Bbr3Flows | undefined;
  readonly #ecn: PolicyRoute | undefined;
  readonly #scalable: ScalableFlows | undefined;
  /** All pairs of programs, in the order in which their flows begin. */
  #pairs: readonly Pair[] = [];
  /** Pairs of programs that have begun to send. */
  readonly #sending = new Set<Pair>();
  readonly #stop = new AbortController();
  #begun: Promise<void> = Promise.resolve();

  private constructor(
    context: FlowsContext,
    params: Params,
    usable: Usable,
    taken: TakenPorts,
    bbr3: Bbr3Flows | undefined,
    scalable: ScalableFlows | undefined,
  ) {
    this.#context = context;
    this.#params = params;
    this.#usable = usable;
    this.#taken = taken;
    this.#bbr3 = bbr3;
    this.#scalable = scalable;
    this.#ecn =
      params.ecn === 'off'
        ? undefined
        : ecnRoute({ host: context.network.hosts.server, address: context.network.addresses.server }, taken.ports);
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.failed.catch(() => {});
    this.#fail = reject;
    bbr3?.failed.catch(reject);
    scalable?.failed.catch(reject);
  }

  /** Prepares the flows; resolves when all of them wait for `begin`. */
  static async arm(context: FlowsContext, params: Params): Promise<EndlessFlows> {
    const {
      network: { hosts, addresses },
    } = context;
    const isScalable = params.congestionControl === dctcpName;
    const usable = isScalable
      ? { name: dctcpInKernel, ours: false, version: undefined }
      : await usableCongestionControl(params.congestionControl, hosts.server);
    const taken = takePorts(hosts.server, hosts.client, pairsOf(params));
    let armed: EndlessFlows | undefined;
    try {
      const bbr3 = usable.ours
        ? await Bbr3Flows.prepare({
            host: hosts.server,
            budget: params.bbr3Budget,
            record: record => {
              if (params.telemetry) context.write(bbr3Series, record);
            },
            flowPort: ({ source, sourcePort, destination, destinationPort }) =>
              source === addresses.server && destination === addresses.client && taken.ports.includes(destinationPort)
                ? sourcePort
                : null,
          })
        : undefined;
      const scalable = isScalable ? await ScalableFlows.prepare(context.network, taken.ports) : undefined;
      armed = new EndlessFlows(context, params, usable, taken, bbr3, scalable);
      if (armed.#ecn !== undefined) await layRoute(armed.#ecn);
      await armed.#armPairs();
      return armed;
    } catch (error) {
      if (armed === undefined) taken.release();
      else await armed.stop();
      throw error;
    }
  }

  async #armPairs(): Promise<void> {
    const { network, maxMs } = this.#context;
    const { flows } = this.#params;
    const pairs = await Promise.allSettled(
      this.#taken.ports.map((port, _, { length }) =>
        Pair.arm({ network, port, flows: length > 1 ? 1 : flows, congestionControl: this.#usable.name, maxMs }),
      ),
    );
    this.#pairs = pairs.flatMap(pair => (pair.status === 'fulfilled' ? [pair.value] : []));
    for (const pair of pairs) if (pair.status === 'rejected') throw pair.reason;
    for (const { failed } of this.#pairs) failed.catch(this.#fail);
  }

  async begin(): Promise<void> {
    await this.#begin(this.#pairs[0]!);
    this.#begun = this.#beginOthers();
  }

  async #begin(pair: Pair): Promise<void> {
    pair.begin();
    const sends = async () =>
      (await this.#senders()).sockets.filter(socket => socket.peerPort === pair.port).length === pair.flows
        ? true
        : undefined;
    await Promise.race([
      pair.failed,
      until(sends, patienceMs(startMs, this.#context, 'firstBytes'), 'iperf3 to send', {
        code: 'service-failed',
        everyMs: 50,
        signal: this.#stop.signal,
      }),
    ]);
    this.#sending.add(pair);
  }

  /**
   * Begins all flows except the first, each at its planned time, even if the previous one is still sending its first
   * data through a full queue.
   */
  async #beginOthers(): Promise<void> {
    const [first, ...others] = this.#pairs;
    await Promise.all(
      others.map(async (pair, index) => {
        try {
          await sleepUntil(first!.startMs! + (index + 1) * this.#params.stagger, this.#stop.signal);
          await this.#begin(pair);
        } catch (error) {
          if (!this.#stop.signal.aborted) this.#fail(error);
        }
      }),
    );
  }

  async sample(): Promise<Ends> {
    const ends = await this.#ends();
    for (const socket of ends.senders.sockets)
      this.#context.write(tcpSeries, tcpRecord('sender', socket, socket.localPort, ends.senders.timeMs));
    for (const socket of ends.receivers.sockets)
      this.#context.write(tcpSeries, tcpRecord('receiver', socket, socket.peerPort, ends.receivers.timeMs));
    return ends;
  }

  async read(ends?: Ends): Promise<TransportReading> {
    const { senders, receivers } = ends ?? (await this.#ends());
    const begun = new Map([...this.#sending].map(pair => [pair.port, pair]));
    const flows = [...this.#sending].reduce((sum, pair) => sum + pair.flows, 0);
    const sockets = senders.sockets.filter(socket => begun.has(socket.peerPort));
    requireUsed(this.#usable, sockets, 'a flow of iperf3', 'service-failed');
    if (this.#ecn !== undefined) requireEcn(sockets);
    this.#scalable?.require(sockets, receivers.sockets);
    if (sockets.length !== flows)
      throw new CoexistError('service-failed', `iperf3 has ${sockets.length} flows, not ${flows}`);
    const models = await this.#bbr3?.prove(sockets.map(socket => socket.localPort));
    const received = new Map(receivers.sockets.map(socket => [socket.peerPort, socket.bytesReceived]));
    return {
      ...(this.#bbr3?.label ??
        (await labelSocket(this.#usable.name, sockets[0]!.version, this.#context.network.hosts.server))),
      flows: sockets
        .map(socket => {
          const model = models?.get(socket.localPort);
          return {
            port: socket.localPort,
            congestionControl: socket.congestionControl,
            startMs: begun.get(socket.peerPort)!.startMs!,
            retransmittedBytes: socket.bytesRetransmitted ?? 0,
            sentBytes: socket.bytesSent ?? null,
            receivedBytes: received.get(socket.localPort) ?? null,
            ...(model === undefined ? {} : { model }),
          };
        })
        .sort((a, b) => a.startMs - b.startMs || a.port - b.port),
      ...(this.#bbr3 === undefined ? {} : { loaded: this.#bbr3.loaded }),
    };
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#pairs.map(pair => pair.stop()));
    await this.#begun;
    await this.#bbr3?.stop();
    if (this.#ecn !== undefined) await removeRoute(this.#ecn);
    await this.#scalable?.stop();
    this.#taken.release();
  }

  /** Returns the senders' sockets that carry data. */
  async #senders(): Promise<SocketReading> {
    const { timeMs, sockets } = await readSockets(this.#context.network.hosts.server);
    return {
      timeMs,
      sockets: sockets.filter(
        socket => this.#taken.ports.includes(socket.peerPort) && (socket.bytesSent ?? 0) > dataBytes,
      ),
    };
  }

  async #ends(): Promise<Ends> {
    const [senders, all] = await Promise.all([this.#senders(), readSockets(this.#context.network.hosts.client)]);
    const ports = new Set(senders.sockets.map(socket => socket.localPort));
    const sockets = all.sockets.filter(
      socket => this.#taken.ports.includes(socket.localPort) && ports.has(socket.peerPort),
    );
    return { senders, receivers: { timeMs: all.timeMs, sockets } };
  }
}
