/**
 * Sets the TCP congestion control of one server by a route. Packets from the server's address and ports use a separate
 * routing table, and the route in that table names the congestion control (ip-rule(8), sport; ip-route(8), congctl).
 *
 * For accepted sockets, the kernel prefers the congestion control of the route to that of the listener or the namespace
 * (tcp_ca_openreq_child in net/ipv4/tcp_minisocks.c). So servers need no support for this, and no permission to use the
 * name is needed. If a congestion control is removed from the kernel, `ip route` drops its name without an error.
 * Therefore only the data sockets themselves count as evidence.
 */

import { CoexistError } from '../../../core/errors.ts';
import { firstTwice } from '../../../core/first-twice.ts';
import { nowMs } from '../../../core/system/clock.ts';
import type { Host } from '../../../core/system/host.ts';
import type { Bbr3Record } from '../../record/series/bbr3.ts';
import type { TransportFlow, TransportReading } from '../../record/transport.ts';
import { type TcpSocket, tcpSockets } from '../../trial/collect/tcp-sockets.ts';
import { Bbr3Flows } from './bbr3-flows.ts';
import { labelSocket, requireUsed, type Usable, usableCongestionControl } from './congestion-control.ts';
import type { CongestionParams } from './congestion-param.ts';
import { layRoute, type PolicyRoute, removeRoute } from './policy-route.ts';

type RouteOptions = {
  host: Host;
  /** Address of the server. */
  address: string;
  /** Addresses of the clients; set only if there are several. */
  clients?: readonly string[];
  /** First port of the content; `lastPort` is the last one. */
  firstPort: number;
  lastPort: number;
  /** Receives the BBRv3 telemetry of the flows. */
  model?(record: Bbr3Record): void;
};

/**
 * Fewest sent bytes of a socket that carries content. Others have carried only a playlist, or a browser opened them in
 * advance.
 */
const dataBytes = 30_000;

export class CongestionRoute {
  /** Rejects if the telemetry that proves BBRv3 ends before `close`. Never rejects if the server does not use BBRv3. */
  readonly failed: Promise<never>;
  readonly #options: RouteOptions;
  readonly #usable: Usable;
  readonly #bbr3: Bbr3Flows | undefined;
  /** Time at which each flow was seen first, by the client's port. */
  readonly #seenMs = new Map<number, number>();

  private constructor(options: RouteOptions, usable: Usable, bbr3: Bbr3Flows | undefined) {
    this.#options = options;
    this.#usable = usable;
    this.#bbr3 = bbr3;
    this.failed = bbr3?.failed ?? new Promise<never>(() => {});
  }

  /** Sets the route. Throws `missing-congestion-control` if the host does not have the congestion control. */
  static async open(
    options: RouteOptions,
    { congestionControl, bbr3Budget }: CongestionParams,
  ): Promise<CongestionRoute> {
    const { host, address, firstPort, lastPort, model = () => {} } = options;
    const usable = await usableCongestionControl(congestionControl, host);
    const bbr3 = usable.ours
      ? await Bbr3Flows.prepare({
          host,
          budget: bbr3Budget,
          record: model,
          flowPort: ({ source, sourcePort, destinationPort }) =>
            source === address && sourcePort >= firstPort && sourcePort <= lastPort ? destinationPort : null,
        })
      : undefined;
    const route = new CongestionRoute(options, usable, bbr3);
    try {
      await layRoute(route.#route);
    } catch (error) {
      await route.close();
      throw error;
    }
    return route;
  }

  /**
   * Reads the sockets that carry content; null if there are none yet. Throws `service-failed` if one of them uses
   * another congestion control than requested.
   */
  async read(): Promise<TransportReading | null> {
    const { host, firstPort, lastPort } = this.#options;
    return this.readOf(
      (await tcpSockets(host, firstPort, lastPort)).filter(socket => (socket.bytesSent ?? 0) > dataBytes),
    );
  }

  /** Converts sockets of the server to flows of the record. Throws the errors of `read`. */
  async readOf(sockets: readonly TcpSocket[]): Promise<TransportReading | null> {
    if (sockets.length === 0) return null;
    requireUsed(this.#usable, sockets, 'a flow of the service', 'service-failed');
    const { clients = [] } = this.#options;
    const twin = firstTwice(sockets, ({ peerPort }) => String(peerPort));
    if (clients.length > 1 && twin !== undefined)
      throw new CoexistError(
        'service-failed',
        `two clients have the port ${twin.peerPort}, by which the record names flows`,
      );
    const models = await this.#bbr3?.prove(sockets.map(socket => socket.peerPort));
    const timeMs = nowMs();
    const flows = sockets.map((socket): TransportFlow => {
      const port = socket.peerPort;
      const client = clients.indexOf(socket.peerAddress) + 1;
      const model = models?.get(port);
      if (!this.#seenMs.has(port)) this.#seenMs.set(port, timeMs);
      return {
        port,
        ...(clients.length < 2 ? {} : { client }),
        congestionControl: socket.congestionControl,
        startMs: this.#seenMs.get(port)!,
        retransmittedBytes: socket.bytesRetransmitted ?? 0,
        sentBytes: socket.bytesSent ?? null,
        receivedBytes: socket.bytesAcked ?? null,
        ...(socket.busyMs === undefined
          ? {}
          : {
              limits: {
                busyMs: socket.busyMs,
                receiveWindowLimitedMs: socket.receiveWindowLimitedMs ?? 0,
                sendBufferLimitedMs: socket.sendBufferLimitedMs ?? 0,
              },
            }),
        ...(model === undefined ? {} : { model }),
      };
    });
    return {
      ...(this.#bbr3?.label ?? (await labelSocket(this.#usable.name, sockets[0]!.version, this.#options.host))),
      flows,
      ...(this.#bbr3 === undefined ? {} : { loaded: this.#bbr3.loaded }),
    };
  }

  async close(): Promise<void> {
    await removeRoute(this.#route);
    await this.#bbr3?.stop();
  }

  get #route(): PolicyRoute {
    const { host, address, firstPort, lastPort } = this.#options;
    return {
      host,
      address,
      table: firstPort,
      options: `congctl ${this.#usable.name}`,
      selectors: [`from ${address} ipproto tcp sport ${firstPort}-${lastPort}`],
    };
  }
}
