/** A greedy download: iperf3 with a chosen congestion control and number of flows. */
import { once } from 'node:events';
import { nowMs } from '../../base/clock.ts';
import type { Child } from '../../base/command.ts';
import { until, within } from '../../base/deadline.ts';
import { CoexistError } from '../../base/errors.ts';
import { object, integer, text, z } from '../../base/schema.ts';
import { tcpSockets } from '../../collect/tcp-sockets.ts';
import type { TcpSocket } from '../../collect/tcp-sockets.ts';
import type { TcpRecord } from '../../record/series.ts';
import type { FloodReading } from '../../record/trial-file.ts';
import type { FloodContext, FloodPlugin, RunningFlood } from '../flood.ts';
import { labelSocket, requireCongestionControl } from './congestion-control.ts';

const paramsSchema = object({
  congestionControl: text().default('bbr').describe('TCP congestion control of the sender, by the kernel\'s name.'),
  flows: integer({ min: 1, max: 64 }).default(1).describe('Parallel TCP connections.'),
});

type Params = z.output<typeof paramsSchema>;

const port = 5201;
const startMs = 8000;

class Iperf3Flood implements RunningFlood {
  readonly failed: Promise<never>;
  readonly #context: FloodContext;
  readonly #params: Params;
  readonly #server: Child;
  readonly #client: Child;

  private constructor(context: FloodContext, params: Params, server: Child, client: Child) {
    this.#context = context;
    this.#params = params;
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

  static async start(context: FloodContext, params: Params): Promise<Iperf3Flood> {
    const { hosts, addresses } = context.network;
    const server = hosts.client.start('iperf3 receiver', ['iperf3', '-s', '-1', '-p', String(port), '--forceflush']);
    try {
      const listening = once(server.process.stdout!, 'data'); // its first words are "Server listening"
      const gone = server.ended.then(() => { throw new CoexistError('flood-died', `iperf3 -s did not start: ${server.lastWords}`); });
      await within(Promise.race([listening, gone]), startMs, 'iperf3 -s to listen', { code: 'flood-died' });
      server.process.stdout!.resume();
      const client = hosts.flooder.start('iperf3', [
        'iperf3', '-c', addresses.client, '-p', String(port), '-C', params.congestionControl, '-P', String(params.flows),
        '-t', String(Math.ceil(context.maxMs / 1000)), '-i', '0',
      ], { stdio: ['ignore', 'ignore', 'pipe'] });
      const flood = new Iperf3Flood(context, params, server, client);
      try {
        await Promise.race([
          flood.failed,
          until(async () => ((await flood.#dataSockets()).length === params.flows ? true : undefined), startMs, 'the flood to send', { code: 'flood-died' }),
        ]);
        return flood;
      } catch (error) {
        await client.stop('SIGKILL');
        throw error;
      }
    } catch (error) {
      await server.stop('SIGKILL');
      throw error;
    }
  }

  async sample(): Promise<void> {
    const { hosts } = this.#context.network;
    const [senders, receivers] = await Promise.all([
      this.#dataSockets().then(sockets => ({ sockets, timeMs: nowMs() })),
      tcpSockets(hosts.client, port).then(sockets => ({ sockets, timeMs: nowMs() })),
    ]);
    for (const socket of senders.sockets) this.#record('sender', socket, socket.localPort, senders.timeMs);
    const ports = new Set(senders.sockets.map(socket => socket.localPort));
    for (const socket of receivers.sockets) if (ports.has(socket.peerPort)) this.#record('receiver', socket, socket.peerPort, receivers.timeMs);
  }

  async read(): Promise<FloodReading> {
    const sockets = await this.#dataSockets();
    const wrong = sockets.find(socket => socket.congestionControl !== this.#params.congestionControl);
    if (sockets.length !== this.#params.flows || wrong !== undefined) {
      throw new CoexistError('flood-died', wrong === undefined ? `the flood has ${sockets.length} flows, not ${this.#params.flows}`
        : `a flow of the flood uses ${wrong.congestionControl}, not ${this.#params.congestionControl}`);
    }
    return {
      ...await labelSocket(this.#params.congestionControl, sockets[0]!.version),
      flows: sockets.map(socket => ({
        port: socket.localPort, congestionControl: socket.congestionControl,
        retransmittedBytes: socket.bytesRetransmitted ?? 0, sentBytes: socket.bytesSent ?? null,
      })),
    };
  }

  async stop(): Promise<void> {
    this.#server.stopping = true; // it serves one test and ends with it
    await this.#client.stop('SIGTERM', 1000);
    await this.#server.stop('SIGTERM', 1000);
  }

  /** The sockets that carry data: iperf3's control connection sends next to nothing. */
  async #dataSockets(): Promise<TcpSocket[]> {
    const sockets = await tcpSockets(this.#context.network.hosts.flooder, port);
    return sockets.filter(socket => (socket.bytesSent ?? 0) > 10_000);
  }

  #record(end: 'sender' | 'receiver', socket: TcpSocket, flowPort: number, timeMs: number): void {
    const { localPort: _local, peerPort: _peer, version: _version, ...rest } = socket;
    const record: TcpRecord = { timeMs, end, port: flowPort, ...rest };
    this.#context.record(record);
  }
}

export const plugin: FloodPlugin = {
  id: 'iperf3',
  title: 'iperf3 download',
  source: 'Juntima et al., section 3: attacker D; iperf3(1)',
  params: paramsSchema,
  check: async (_network, params: Params) => requireCongestionControl(params.congestionControl),
  start: (context, params: Params) => Iperf3Flood.start(context, params),
};
