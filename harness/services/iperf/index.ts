/** A greedy download: iperf3 with a chosen congestion control and number of flows, which may begin one after another. */
import type { ClockOffset } from '../../../core/clock.ts';
import { nowMs } from '../../../core/clock.ts';
import { sleepUntil, until } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import { choice, duration, integer, object, text, z } from '../../../core/schema.ts';
import { tcpSockets } from '../../collect/tcp-sockets.ts';
import type { TcpSocket } from '../../collect/tcp-sockets.ts';
import type { TransportReading } from '../../record/trial-file.ts';
import { bbr3Budgets } from '../../../shaper/bbr3/telemetry.ts';
import type { LiveValues, RunningService, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { Bbr3Flows } from '../shared/bbr3-flows.ts';
import { checkCongestionControl } from '../shared/congestion-param.ts';
import { labelSocket, requireUsed, usableCongestionControl } from '../shared/congestion-control.ts';
import type { Usable } from '../shared/congestion-control.ts';
import { Goodput } from '../shared/goodput.ts';
import { transferWarmUpMs } from '../shared/transfer.ts';
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

/** The longest that iperf3 takes (its -t): it ends with the trial. */
const mostMs = 24 * 3600e3;

class Iperf implements RunningService {
  readonly failed: Promise<never>;
  readyMs = 0;
  readonly #fail: (error: unknown) => void;
  readonly #study: StudyContext;
  readonly #trial: TrialContext;
  readonly #params: Params;
  readonly #usable: Usable;
  readonly #bbr3: Bbr3Flows | undefined;
  readonly #goodput = new Goodput();
  /** Those that have begun to send. */
  readonly #pairs: Pair[] = [];
  readonly #stop = new AbortController();
  #begun: Promise<void> = Promise.resolve();
  #reading: TransportReading | null = null;

  private constructor(study: StudyContext, trial: TrialContext, params: Params, usable: Usable, bbr3: Bbr3Flows | undefined) {
    this.#study = study;
    this.#trial = trial;
    this.#params = params;
    this.#usable = usable;
    this.#bbr3 = bbr3;
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.failed.catch(() => {});
    this.#fail = reject;
    bbr3?.failed.catch(reject);
  }

  static async open(study: StudyContext, trial: TrialContext, params: Params): Promise<Iperf> {
    const usable = await usableCongestionControl(params.congestionControl);
    const lastPort = firstPort + pairsOf(params) - 1;
    const { network: { hosts, addresses }, lease } = study;
    const bbr3 = usable.ours ? await Bbr3Flows.prepare({
      host: hosts.server, lease, budget: params.bbr3Budget, record: record => { if (params.telemetry) trial.model(record); },
      flowPort: ({ source, sourcePort, destinationPort }) => (source === addresses.server && destinationPort >= firstPort && destinationPort <= lastPort ? sourcePort : null),
    }) : undefined;
    const iperf = new Iperf(study, trial, params, usable, bbr3);
    try {
      await iperf.#begin(0);
      iperf.readyMs = nowMs();
      await iperf.collect(); // what it is not must not run for a whole window
    } catch (error) {
      await iperf.stop();
      throw error;
    }
    iperf.#begun = iperf.#beginOthers();
    return iperf;
  }

  async #begin(index: number): Promise<void> {
    const flows = this.#params.stagger === 0 ? this.#params.flows : 1;
    const pair = await Pair.start({ network: this.#study.network, port: firstPort + index, flows, congestionControl: this.#usable.name, maxMs: mostMs });
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

  async collect(): Promise<LiveValues> {
    const begun = new Map(this.#pairs.map(pair => [pair.port, pair]));
    const [senders, receivers] = await Promise.all([
      this.#dataSockets().then(sockets => ({ sockets, timeMs: nowMs() })),
      tcpSockets(this.#study.network.hosts.client, firstPort, this.#lastPort).then(sockets => ({ sockets, timeMs: nowMs() })),
    ]);
    const ports = new Set(senders.sockets.map(socket => socket.localPort));
    const taken = receivers.sockets.filter(socket => ports.has(socket.peerPort));
    for (const socket of senders.sockets) this.#record('sender', socket, socket.localPort, senders.timeMs);
    for (const socket of taken) this.#record('receiver', socket, socket.peerPort, receivers.timeMs);
    const sockets = senders.sockets.filter(socket => begun.has(socket.peerPort));
    this.#reading = await this.#read(begun, sockets, new Map(taken.map(socket => [socket.peerPort, socket.bytesReceived])));
    const receivedBytes = taken.reduce((sum, { bytesReceived }) => sum + (bytesReceived ?? 0), 0);
    this.#trial.progress({ timeMs: receivers.timeMs, kind: 'transfer', receivedBytes, flows: sockets.length });
    return this.#goodput.since(receivers.timeMs, receivedBytes);
  }

  /** What the senders' sockets really are. Throws `flood-died` where they are not what was asked for. */
  async #read(begun: ReadonlyMap<number, Pair>, sockets: readonly TcpSocket[], received: ReadonlyMap<number, number | undefined>): Promise<TransportReading> {
    requireUsed(this.#usable, sockets, 'a flow of the flood', 'flood-died');
    const flows = [...begun.values()].reduce((sum, pair) => sum + pair.flows, 0);
    if (sockets.length !== flows) throw new CoexistError('flood-died', `the flood has ${sockets.length} flows, not ${flows}`);
    const models = await this.#bbr3?.prove(sockets.map(socket => socket.localPort));
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

  transport(): TransportReading | null {
    return this.#reading;
  }

  /** There is no clock but the harness's. */
  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    const own = { offsetMs: 0, uncertaintyMs: 0 };
    return { server: own, page: own };
  }

  describe(): Record<string, unknown> {
    return {};
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
    const sockets = await tcpSockets(this.#study.network.hosts.server, firstPort, this.#lastPort);
    return sockets.filter(socket => (socket.bytesSent ?? 0) > dataBytes);
  }

  #record(end: 'sender' | 'receiver', socket: TcpSocket, flowPort: number, timeMs: number): void {
    const { localPort: _local, peerPort: _peer, version: _version, ...rest } = socket;
    this.#trial.tcp({ timeMs, end, port: flowPort, ...rest });
  }
}

/** Flows that begin at different times need programs of their own. */
function pairsOf({ flows, stagger }: Params): number {
  return stagger === 0 ? 1 : flows;
}

export const plugin: ServicePlugin = {
  id: 'iperf',
  kind: 'baseline',
  title: 'iperf3 download',
  source: 'Juntima et al., section 3: attacker D; Philip et al., table 1: iPerf (BBR), iPerf (Cubic), iPerf (Reno); iperf3(1)',
  params: paramsSchema,
  capBps: () => null,
  warmUpMs: () => transferWarmUpMs,
  check: ({ congestionControl }: Params) => checkCongestionControl(congestionControl),
  preparationKey: () => '',
  prepare: async study => ({ open: (trial, params: Params) => Iperf.open(study, trial, params), close: async () => {} }),
};
