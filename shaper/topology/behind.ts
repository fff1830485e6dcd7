/**
 * Two hosts behind the ends of a path, for a tunnel between the ends:
 *
 *   server's host --- server's end ===[router, bottleneck]=== client's end --- client's host
 *     10.0.1.3          10.0.1.2                                10.0.2.2         10.0.2.130
 *
 * Each of the two hosts has an address of the network of its end, and can be reached only through that end. TCP is
 * forwarded over the link (pages, signalling). UDP is not: the server's end accepts only UDP to itself, and the
 * client's end has the address of the server's host, so that UDP from the client's host ends at the program that
 * listens there. This uses only routing rules (ip-rule(8), `ipproto` needs Linux 4.17) and no packet filter.
 */
import { run } from '../../core/system/command.ts';
import type { Host } from '../../core/system/host.ts';
import type { Lease } from '../../core/system/lease.ts';
import { type Network, networkBetween } from '../../core/system/network.ts';
import type { HopSpan } from '../../core/vocabulary/link.ts';
import { checkOffloadsOff, setUp } from './host-setup.ts';
import {
  behindEnd,
  bottleneckDevice,
  exitDevice,
  hostAddress,
  hostDevice,
  hostEnd,
  leftDevice,
  leftSubnet,
  mac,
  namespaceOf,
  rightSubnet,
} from './legs.ts';
import { type HostScheduling, NamespaceHost, removeNamespaces } from './namespace-host.ts';

/** Name of the end's device towards the host behind it. */
const innerDevice = 'inner';
/**
 * Returns the hardware address of the end's inner device (`innerMac`), and that of the host behind the end, within the
 * network of the end.
 */
const innerMac = (subnet: number, end: number) => mac(subnet, 0x80 | end).replace('02:', '06:');
const behindMac = (subnet: number, end: number) => mac(subnet, 0x80 | end).replace('02:', '0a:');

/**
 * Priorities of the routing rules: before the kernel's local table, new priority of the local table, and after the
 * local table.
 */
const [tcpFirst, local, noUdp] = [5, 10, 15];

/** An end of the path: host, address (`subnet` and `end`), and the nearest router with its device towards the end. */
type PathEnd = { host: Host; subnet: number; end: number; router: Host; routerDevice: string };

/**
 * Returns both ends of the path between the hosts at a place, an index of the pairs of hosts from 0. `routers`: those of
 * the row. `span`: bottlenecks between the two.
 */
export function endsAt(
  place: number,
  { left, right }: { left: Host; right: Host },
  routers: readonly Host[],
  { from, to }: HopSpan,
): { left: PathEnd; right: PathEnd } {
  const behind = routers[to];
  return {
    left: {
      host: left,
      router: routers[from - 1]!,
      subnet: leftSubnet(place),
      end: hostEnd(),
      routerDevice: leftDevice(place),
    },
    right: {
      host: right,
      router: behind ?? routers[to - 1]!,
      subnet: rightSubnet,
      end: hostEnd(place),
      routerDevice: behind === undefined ? bottleneckDevice : exitDevice(place),
    },
  };
}

/**
 * Returns the address of the host behind an end: the end's address plus 1 on the left, plus 128 on the right, where
 * there are up to 64 ends.
 */
const behindAddress = ({ subnet, end }: PathEnd) => hostAddress(subnet, behindEnd(subnet, end));

export class HostsBehind {
  /** Network between the server's host and the client's host, both behind the ends. */
  readonly network: Network;
  readonly #lease: Lease;
  readonly #ends: readonly { end: PathEnd; host: Host }[];

  private constructor(lease: Lease, server: PathEnd, client: PathEnd, scheduling: HostScheduling) {
    const behind = ({ host: { name } }: PathEnd) =>
      new NamespaceHost(`${name}-behind`, namespaceOf(lease, `${name}-behind`), lease, scheduling);
    this.#lease = lease;
    this.#ends = [server, client].map(end => ({ end, host: behind(end) }));
    const [serverHost, clientHost] = this.#ends.map(({ end, host }) => ({ host, address: behindAddress(end) }));
    this.network = networkBetween(serverHost!, clientHost!);
  }

  /**
   * Creates both hosts, and gives the client's end the server's address in addition to its own. Removes what it created
   * if a step fails.
   */
  static async make(
    lease: Lease,
    { server, client }: { server: PathEnd; client: PathEnd },
    scheduling: HostScheduling = {},
  ): Promise<HostsBehind> {
    const hosts = new HostsBehind(lease, server, client, scheduling);
    try {
      for (const { end, host } of hosts.#ends) await hosts.#make(end, host);
      await Promise.all([hosts.#holdUdp(server), hosts.#standIn(client)]);
      return hosts;
    } catch (error) {
      await hosts.remove();
      throw error;
    }
  }

  async #make(end: PathEnd, host: Host): Promise<void> {
    const { subnet, end: number } = end;
    const [namespace, endNamespace] = [host, end.host].map(({ name }) => namespaceOf(this.#lease, name));
    const [address, endAddress] = [behindAddress(end), hostAddress(subnet, number)];
    const [ownMac, endMac] = [behindMac(subnet, number), innerMac(subnet, number)];
    this.#lease.addNamespace(namespace!);
    await run(['ip', '-batch', '-'], {
      input: [
        `netns add ${namespace}`,
        `link add name ${innerDevice} netns ${endNamespace} address ${endMac} type veth peer name ${hostDevice} ` +
          `netns ${namespace} address ${ownMac}`,
      ].join('\n'),
      code: 'missing-kernel-feature',
    });
    await Promise.all([
      setUp(host, {
        devices: [hostDevice],
        ip: [
          'link set dev lo up',
          `addr add ${address}/32 dev ${hostDevice}`,
          `link set dev ${hostDevice} up`,
          `neigh replace ${endAddress} lladdr ${endMac} dev ${hostDevice} nud permanent`,
          `route add default via ${endAddress} dev ${hostDevice} onlink`,
        ],
      }),
      setUp(end.host, {
        more: [['net/ipv4/ip_forward', 1]],
        devices: [innerDevice],
        ip: [
          `link set dev ${innerDevice} up`,
          `neigh replace ${address} lladdr ${ownMac} dev ${innerDevice} nud permanent`,
          `route add ${address}/32 dev ${innerDevice} src ${endAddress}`,
        ],
      }),
      end.router.run(['ip', '-batch', '-'], {
        input: `neigh replace ${address} lladdr ${mac(subnet, number)} dev ${end.routerDevice} nud permanent`,
        code: 'link-refused',
      }),
    ]);
  }

  /** Adds a rule that drops UDP from the host behind an end unless the UDP is addressed to the end. */
  async #holdUdp({ host }: PathEnd): Promise<void> {
    await host.run(['ip', '-batch', '-'], {
      input: `rule add pref ${noUdp} iif ${innerDevice} ipproto udp blackhole`,
      code: 'missing-kernel-feature',
      hint: 'a tunnel needs rules of routing by protocol (Linux 4.17)',
    });
  }

  /**
   * Adds the server's address to the client's end. UDP to that address then stays at the end; TCP is forwarded in both
   * directions.
   */
  async #standIn(end: PathEnd): Promise<void> {
    await setUp(end.host, {
      more: [['net/ipv4/conf/all/accept_local', 1]],
      devices: [innerDevice],
      ip: [
        `addr add ${this.network.addresses.server}/32 dev lo`,
        `rule add pref ${tcpFirst} iif ${innerDevice} ipproto tcp lookup main`,
        `rule add pref ${local} lookup local`,
        'rule del pref 0',
        `rule add pref ${noUdp} iif ${innerDevice} ipproto udp blackhole`,
      ],
      code: 'missing-kernel-feature',
      hint: 'a tunnel needs rules of routing by protocol (Linux 4.17)',
    });
  }

  /**
   * Checks that offloads are off between the ends and the hosts behind them. Throws `link-refused` with the reading if
   * one is on.
   */
  async checkOffloads(): Promise<void> {
    await Promise.all(
      this.#ends.flatMap(({ end, host }) => [
        checkOffloadsOff(end.host, [innerDevice]),
        checkOffloadsOff(host, [hostDevice]),
      ]),
    );
  }

  /** Removes both hosts with everything that runs there, and restores the ends. */
  async remove(): Promise<void> {
    const [server, client] = this.#ends.map(({ end }) => end.host);
    const undo = (host: Host, lines: readonly string[]) =>
      host.run(['ip', '-force', '-batch', '-'], { input: lines.join('\n'), allowFailure: true });
    await undo(server!, [`rule del pref ${noUdp}`]);
    await undo(client!, [
      `rule add pref 0 lookup local`,
      ...[tcpFirst, local, noUdp].map(pref => `rule del pref ${pref}`),
      `addr del ${this.network.addresses.server}/32 dev lo`,
    ]);
    const namespaces = this.#ends.map(({ host: { name } }) => namespaceOf(this.#lease, name));
    await removeNamespaces(namespaces);
    for (const namespace of namespaces) this.#lease.dropNamespace(namespace);
  }
}
