/**
 * Hosts on two sides, one router, one bottleneck. Hosts on the left reach those on the right only through the router.
 *
 *   left   10.0.1.2 --- 10.0.1.1 \
 *                                 router  10.0.2.1 ===[bottleneck]=== 10.0.2.2, 10.0.2.3 ...  right
 *          10.0.3.2 --- 10.0.3.1 /
 *
 * With several bottlenecks in a row, each has a router of its own: router, router-2 and so on, with a network between
 * each and the next (10.0.200.0/24, 10.0.201.0/24 ...). The last one has the network on the right. Hosts of a pair with
 * some of the bottlenecks between them are connected before the first and behind the last of these: the one on the left
 * to the router with the first, the one on the right to the router behind the last, which has a route to it alone.
 *
 * The network is layer 3 throughout. Segmentation offloads are off on every end, so that the queue holds the packets
 * that the wire would carry. Neighbours are permanent and IPv6 is off, so that address resolution has no loss or delay.
 * The router sends no ICMP redirects, so hosts learn no route around it.
 */
import { run } from '../../core/system/command.ts';
import type { Host } from '../../core/system/host.ts';
import type { Lease } from '../../core/system/lease.ts';
import { type DeviceReading, type Endpoint, type Network, networkBetween } from '../../core/system/network.ts';
import { spanOf } from '../../core/vocabulary/hops.ts';
import type { HopSpan } from '../../core/vocabulary/link.ts';
import { noPrecedence, type Precedence } from '../precedence/precedence.ts';
import { checkOffloadsOff, type Exit, type Leg, setUpEnd, setUpRouter } from './host-setup.ts';
import {
  bottleneckDevice,
  checkSides,
  exitDevice,
  hopDevice,
  hopSubnet,
  hostAddress,
  hostDevice,
  hostEnd,
  leftDevice,
  leftSubnet,
  mac,
  namespaceOf,
  networkOf,
  rightSubnet,
  routerAddress,
  routerEnd,
  type Sides,
} from './legs.ts';
import { NamespaceHost, removeNamespaces } from './namespace-host.ts';
import { type CountedAt, readReceived } from './received.ts';
import { checkPings, checkRoutesOf, pairsOf } from './routes.ts';
import { hostPort, setUpSwitch, uplinkMac, uplinkPort } from './switch.ts';
import type { LeftEnd, TestNetwork, Topology } from './topology.ts';

export type DumbbellScheduling = {
  /** Number of routers in a row, each with a bottleneck; missing: 1. */
  hops?: number;
  /** Processor cores of the router and of the other hosts; null or missing: all cores may be used. */
  cores?: { router: readonly number[]; others: readonly number[] } | null;
  /** Precedence of the hosts' programs over other programs; missing: none. */
  precedence?: Precedence;
};

export class Dumbbell<Name extends string = string> implements TestNetwork {
  readonly left: readonly LeftEnd[];
  readonly right: readonly Endpoint[];
  readonly rightNetwork = networkOf(rightSubnet);
  readonly router: Host;
  readonly bottleneckDevice = bottleneckDevice;
  readonly behindBottleneck: { host: Host; device: string };
  readonly hops: readonly Topology[];
  readonly lost = undefined;
  /** Hosts of both sides and the router, by name. */
  readonly hosts: Readonly<Record<Name | 'router', Host>>;
  readonly addresses: Readonly<Record<Name, string>>;
  readonly #lease: Lease;
  readonly #routers: readonly Host[];
  readonly #switch: Host | undefined;
  /** Bottlenecks between the hosts at each index of both sides. */
  readonly #spans: readonly HopSpan[];

  private constructor(
    lease: Lease,
    { left, right, spans = [] }: Sides<Name>,
    { hops = 1, cores = null, precedence = noPrecedence }: DumbbellScheduling,
  ) {
    const host = (name: string, isNetwork = false) =>
      new NamespaceHost(name, namespaceOf(lease, name), lease, {
        cores: (isNetwork ? cores?.router : cores?.others) ?? null,
        precedence,
        isNetwork,
      });
    this.#lease = lease;
    this.#spans = Array.from({ length: Math.max(left.length, right.length) }, (_, k) => spanOf(spans[k], hops));
    this.right = right.map((name, k) => ({ host: host(name), address: hostAddress(rightSubnet, hostEnd(k)) }));
    this.left = left.map((name, k) => ({
      host: host(name),
      address: hostAddress(leftSubnet(k)),
      ownDevice: hostDevice,
      device: leftDevice(k),
      network: networkOf(leftSubnet(k)),
      facing: this.right.find((_, other) => this.#spans[other]!.to === this.#spans[k]!.to)!,
    }));
    this.#routers = Array.from({ length: hops }, (_, k) => host(k === 0 ? 'router' : `router-${k + 1}`, true));
    this.router = this.#routers[0]!;
    this.#switch = this.#atEnd.length > 1 ? host('switch', true) : undefined;
    this.hops = this.#routers.map((_, k) => this.#hop(k));
    this.behindBottleneck = this.hops[0]!.behindBottleneck;
    const ends = [...this.left, ...this.right];
    this.hosts = Object.fromEntries([this.router, ...ends.map(end => end.host)].map(one => [one.name, one])) as Record<
      Name | 'router',
      Host
    >;
    this.addresses = Object.fromEntries(ends.map(({ host: { name }, address }) => [name, address])) as Record<
      Name,
      string
    >;
  }

  /**
   * Creates the namespaces and everything between them, 1 to 64 hosts on each side. Removes what it created if a step
   * fails. Throws `bad-definition` if a name is not valid for a host.
   */
  static async build<Name extends string>(
    lease: Lease,
    sides: Sides<Name>,
    scheduling: DumbbellScheduling = {},
  ): Promise<Dumbbell<Name>> {
    checkSides(sides, scheduling.hops ?? 1);
    const dumbbell = new Dumbbell(lease, sides, scheduling);
    try {
      await dumbbell.#makeNamespaces();
      await dumbbell.#setUp();
      return dumbbell;
    } catch (error) {
      await dumbbell.remove();
      throw error;
    }
  }

  /** Returns the part of the network around the router at this place in the row. */
  #hop(index: number): Topology {
    const [before, router, next] = [this.#routers[index - 1], this.#routers[index]!, this.#routers[index + 1]];
    const last =
      this.#switch === undefined
        ? { host: this.right[this.#atEnd[0]!]!.host, device: hostDevice }
        : { host: this.#switch, device: uplinkPort };
    const crosses = (_: Endpoint, k: number) => this.#spans[k]!.from <= index + 1 && index < this.#spans[k]!.to;
    return {
      left: this.left
        .filter(crosses)
        .map(end =>
          before === undefined || this.#routerOf(end) === router
            ? end
            : { ...end, device: hopDevice, arrival: { host: before, device: bottleneckDevice } },
        ),
      right: this.right.filter(crosses),
      rightNetwork: this.rightNetwork,
      router,
      bottleneckDevice,
      behindBottleneck: next === undefined ? last : { host: next, device: hopDevice },
    };
  }

  /** Returns the router that a host on the left is connected to. */
  #routerOf(end: LeftEnd): Host {
    return this.#routers[this.#spans[this.left.findIndex(({ host }) => host === end.host)]!.from - 1]!;
  }

  /** Number of routers between the hosts of a pair. */
  #routersOf(index: number): number {
    const { from, to } = this.#spans[index]!;
    return Math.min(to + 1, this.#routers.length) - from + 1;
  }

  /** Indices of the hosts on the right behind the last bottleneck. */
  get #atEnd(): number[] {
    return [...this.right.keys()].filter(k => this.#spans[k]!.to === this.#routers.length);
  }

  /** Hosts on the right that are connected to the router at this place in the row. */
  #exits(index: number): Exit[] {
    if (index === 0) return [];
    return this.right.flatMap((_, k) =>
      this.#spans[k]!.to === index ? [{ device: exitDevice(k), end: hostEnd(k) }] : [],
    );
  }

  /** Returns the network of an application whose server and clients are on two of the hosts. */
  network(server: Name, client: Name): Network {
    const end = (name: Name): Endpoint => ({ host: this.hosts[name], address: this.addresses[name] });
    return networkBetween(end(server), end(client));
  }

  received(hosts: readonly Host[]): Promise<DeviceReading[]> {
    return readReceived(hosts.map(host => this.#countedAt(host)));
  }

  #countedAt(host: Host): CountedAt {
    const sender = this.left.find(end => end.host === host);
    if (sender !== undefined) return { host: this.#routerOf(sender), device: sender.device, as: 'tx' };
    const k = this.right.findIndex(end => end.host === host);
    if (k < 0) throw new Error(`${host.name} is no host of the network`);
    const behind = this.#routers[this.#spans[k]!.to];
    if (behind !== undefined) return { host: behind, device: exitDevice(k), as: 'tx' };
    return this.#switch === undefined
      ? { host, device: hostDevice, as: 'rx' }
      : { host: this.#switch, device: hostPort(k), as: 'tx' };
  }

  /** Returns a new promise to each caller. A shared promise would keep everything in memory that waits for it. */
  get failed(): Promise<never> {
    return new Promise(() => {});
  }

  async begin(): Promise<void> {}

  async describe(): Promise<null> {
    return null;
  }

  async remove(): Promise<void> {
    const namespaces = this.#allHosts.map(({ name }) => namespaceOf(this.#lease, name));
    await removeNamespaces(namespaces);
    for (const namespace of namespaces) this.#lease.dropNamespace(namespace);
  }

  get #allHosts(): Host[] {
    return [
      ...this.#routers,
      ...(this.#switch === undefined ? [] : [this.#switch]),
      ...[...this.left, ...this.right].map(({ host }) => host),
    ];
  }

  async #makeNamespaces(): Promise<void> {
    const namespace = ({ name }: Host) => namespaceOf(this.#lease, name);
    for (const host of this.#allHosts) this.#lease.addNamespace(namespace(host));
    const veth = (
      host: Host,
      device: string,
      address: string,
      [other, otherDevice, otherAddress = '']: readonly [Host, string, string?],
    ) =>
      `link add name ${device} netns ${namespace(host)} address ${address} ` +
      `type veth peer name ${otherDevice} netns ${namespace(other)}` +
      `${otherAddress === '' ? '' : ` address ${otherAddress}`}`;
    const routerSide = [this.#routers.at(-1)!, bottleneckDevice, mac(rightSubnet, routerEnd)] as const;
    const middle = this.#switch;
    await run(['ip', '-batch', '-'], {
      input: [
        ...this.#allHosts.map(host => `netns add ${namespace(host)}`),
        ...this.left.map((end, k) =>
          veth(end.host, hostDevice, mac(leftSubnet(k), hostEnd()), [
            this.#routerOf(end),
            end.device,
            mac(leftSubnet(k), routerEnd),
          ]),
        ),
        ...this.#routers
          .slice(1)
          .map((router, k) =>
            veth(router, hopDevice, mac(hopSubnet(k), hostEnd()), [
              this.#routers[k]!,
              bottleneckDevice,
              mac(hopSubnet(k), routerEnd),
            ]),
          ),
        ...(middle === undefined ? [] : [veth(middle, uplinkPort, uplinkMac, routerSide)]),
        ...this.right.map(({ host }, k) => {
          const behind = this.#routers[this.#spans[k]!.to];
          const exit =
            behind === undefined ? undefined : ([behind, exitDevice(k), mac(rightSubnet, routerEnd)] as const);
          const atEnd = middle === undefined ? routerSide : ([middle, hostPort(k)] as const);
          return veth(host, hostDevice, mac(rightSubnet, hostEnd(k)), exit ?? atEnd);
        }),
      ].join('\n'),
      code: 'missing-kernel-feature',
      hint: 'network namespaces and veth need root and a kernel with CONFIG_NET_NS and CONFIG_VETH; "npm run doctor" tells more',
    });
  }

  async #setUp(): Promise<void> {
    await Promise.all([
      ...this.#routers.map((router, k) => this.#setUpRouter(router, k)),
      ...(this.#switch === undefined ? [] : [setUpSwitch(this.#switch, this.#atEnd)]),
      ...this.left.map(({ host }, k) => setUpEnd(host, leftSubnet(k))),
      ...this.right.map(({ host }, k) => setUpEnd(host, rightSubnet, hostEnd(k))),
    ]);
  }

  #setUpRouter(router: Host, index: number): Promise<void> {
    const left: Leg[] = [
      ...(index === 0 ? [] : [{ subnet: hopSubnet(index - 1), device: hopDevice, hosts: 1, own: hostEnd() }]),
      ...this.left.flatMap((end, k) =>
        this.#routerOf(end) === router ? [{ subnet: leftSubnet(k), device: end.device, hosts: 1 }] : [],
      ),
    ];
    const isLast = index === this.#routers.length - 1;
    const right: Leg = isLast
      ? { subnet: rightSubnet, device: bottleneckDevice, hosts: this.right.length }
      : { subnet: hopSubnet(index), device: bottleneckDevice, hosts: 1 };
    return setUpRouter(router, [...left, right], {
      routes: [
        ...(index === 0 ? [] : [`default via ${routerAddress(hopSubnet(index - 1))}`]),
        ...(isLast ? [] : [`${this.rightNetwork} via ${hostAddress(hopSubnet(index))}`]),
      ],
      exits: this.#exits(index),
    });
  }

  async checkOffloads(): Promise<void> {
    await Promise.all([
      ...this.hops.map(({ router, left }, index) =>
        checkOffloadsOff(router, [
          ...new Set(left.map(({ device }) => device)),
          ...this.#exits(index).map(({ device }) => device),
          bottleneckDevice,
        ]),
      ),
      ...(this.#switch === undefined
        ? []
        : [checkOffloadsOff(this.#switch, [uplinkPort, ...this.#atEnd.map(hostPort)])]),
      ...[...this.left, ...this.right].map(({ host }) => checkOffloadsOff(host, [hostDevice])),
    ]);
  }

  async checkRoutes(places?: readonly number[]): Promise<void> {
    const inUse = <End>(ends: readonly End[]) =>
      ends.map((end, k) => ({ end, k })).filter(({ k }) => places === undefined || places.includes(k));
    const [left, right] = [inUse(this.left), inUse(this.right)];
    const [leftEnds, rightEnds] = [left.map(({ end }) => end), right.map(({ end }) => end)];
    await Promise.all([
      ...left.map(({ end, k }) => checkRoutesOf(end.host, rightEnds, routerAddress(leftSubnet(k)))),
      ...right.map(({ end }) => checkRoutesOf(end.host, leftEnds, routerAddress(rightSubnet))),
    ]);
    await checkPings(
      pairsOf(leftEnds, rightEnds).map((pair, k) => ({ ...pair, routers: this.#routersOf(left[k % left.length]!.k) })),
    );
  }
}
