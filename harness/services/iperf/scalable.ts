/**
 * DCTCP-like flows: TCP that reacts to the share of CE marks (RFC 8257), with ECT(1). Both ends use the same congestion
 * control, since the receiver echoes every mark. iperf3 sets that of the sender after it has connected, so the connection
 * asks for ECN by the route of ecn.ts. The sender's kernel sends ECT(0), of which a marker makes ECT(1).
 */
import { CoexistError } from '../../../core/errors.ts';
import type { Network } from '../../../core/system/network.ts';
import { dctcpInKernel, type HeldDctcp, holdDctcp } from '../../../shaper/marking/dctcp.ts';
import { Marker } from '../../../shaper/marking/marker.ts';
import type { TcpSocket } from '../../trial/collect/tcp-sockets.ts';
import { layRoute, type PolicyRoute, removeRoute } from '../shared/policy-route.ts';
import { requireEcn } from './ecn.ts';

/** IP protocol number of TCP. */
const tcp = 6;

export class ScalableFlows {
  readonly failed: Promise<never>;
  readonly #held: HeldDctcp;
  readonly #receivers: PolicyRoute;
  readonly #markers: readonly Marker[];

  private constructor(held: HeldDctcp, receivers: PolicyRoute, markers: readonly Marker[]) {
    this.#held = held;
    this.#receivers = receivers;
    this.#markers = markers;
    this.failed = Promise.race([held.failed, ...markers.map(({ failed }) => failed)]);
    this.failed.catch(() => {});
  }

  /** Prepares the hosts for flows to these ports of the client, which are in ascending order. */
  static async prepare({ hosts, addresses }: Network, ports: readonly number[]): Promise<ScalableFlows> {
    const held = await holdDctcp(hosts.server);
    const receivers: PolicyRoute = {
      host: hosts.client,
      address: addresses.client,
      table: ports[0]!,
      options: `congctl ${dctcpInKernel}`,
      selectors: ports.map(port => `ipproto tcp sport ${port}`),
    };
    const markers: Marker[] = [];
    try {
      await layRoute(receivers);
      for (const port of ports)
        markers.push(
          await Marker.start(hosts.server, addresses.client, {
            protocol: tcp,
            port,
            ecn: { from: 'ect0', to: 'ect1' },
          }),
        );
      return new ScalableFlows(held, receivers, markers);
    } catch (error) {
      await end(held, receivers, markers);
      throw error;
    }
  }

  /** Throws `service-failed` if an end of a flow does not use ECN and the congestion control. */
  require(senders: readonly TcpSocket[], receivers: readonly TcpSocket[]): void {
    requireEcn([...senders, ...receivers]);
    const other = receivers.find(({ congestionControl }) => congestionControl !== dctcpInKernel);
    if (other !== undefined)
      throw new CoexistError('service-failed', `a receiver uses ${other.congestionControl}, not ${dctcpInKernel}`);
  }

  stop(): Promise<void> {
    return end(this.#held, this.#receivers, this.#markers);
  }
}

async function end(held: HeldDctcp, receivers: PolicyRoute, markers: readonly Marker[]): Promise<void> {
  await Promise.all(markers.map(marker => marker.stop()));
  await removeRoute(receivers);
  await held.release();
}
