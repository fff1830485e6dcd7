/**
 * Hosts on two sides of one bottleneck: those on the left reach those on the right through the router and no other way.
 *
 *   left 1  10.0.1.2 --- 10.0.1.1 \
 *   left 2  10.0.3.2 --- 10.0.3.1 - router  10.0.2.1 ===[bottleneck]=== switch --- 10.0.2.2  right 1
 *   left 3  10.0.4.2 --- 10.0.4.1 /                                        \------ 10.0.2.3  right 2
 *
 * Layer 3 throughout, but for the switch (switch.ts), which is there where there are several hosts on the right. Segmentation offloads are
 * off on every end, so that the queue holds the packets that the wire would carry; neighbours are permanent and IPv6 is off, so that
 * no loss or delay ever falls on address resolution; the router sends no ICMP redirects, so no host learns a way round it.
 */
import { run } from '../../core/command.ts';
import type { Lease } from '../../core/lease.ts';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import type { Endpoint } from '../../core/network.ts';
import { NamespaceHost, namespaceOf, removeNamespace } from './namespace-host.ts';
import { enabledOffloads, withoutOffloads } from './offloads.ts';
import { applySettings } from './settings.ts';
import { Switch } from './switch.ts';

/** Numbers of the cores for the router, and for the other hosts. */
export type Cores = { router: readonly number[]; others: readonly number[] };

/** Names of the hosts on either side. */
export type Names<L extends string, R extends string> = { left: readonly L[]; right: readonly R[] };

/** A host on the left, with its leg to the router. */
export type LeftHost = Endpoint & { /** "10.0.1.0/24". */ network: string; /** The router's device towards it. */ routerDevice: string };

/** The device of every host but the router. */
export const hostDevice = 'eth0';
/** The router's device that carries the bottleneck queue. */
export const bottleneckDevice = 'toClient';

const rightSubnet = 2;
/** The network of the hosts on the right. */
export const rightNetwork = `10.0.${rightSubnet}.0/24`;
const mostHosts = 64;

/** The end of a leg: the router's is 1, hosts' are from 2 on. */
const addressOf = (subnet: number, end: number) => `10.0.${subnet}.${end}`;
const routerAddress = (subnet: number) => addressOf(subnet, 1);
const hex = (value: number) => value.toString(16).padStart(2, '0');
const macOf = (subnet: number, end: number) => `02:00:00:00:${hex(subnet)}:${hex(end)}`;

/** Address of a host on the right, counted from 0. */
export const rightAddress = (place: number) => addressOf(rightSubnet, place + 2);
/** Subnet of a host on the left, counted from 0: 1, 3, 4, 5 ... */
const leftSubnet = (place: number) => (place === 0 ? 1 : place + 2);

/** One with a sender of media, a sender of a flood, and one client. */
export type UsualDumbbell = Dumbbell<'server' | 'flooder', 'client'>;

const usual = { left: ['server', 'flooder'], right: ['client'] } as const;

export class Dumbbell<L extends string = string, R extends string = string> {
  readonly router: Host;
  readonly left: readonly LeftHost[];
  readonly right: readonly Endpoint[];
  /** By name. */
  readonly hosts: Readonly<Record<L | R | 'router', Host>>;
  readonly addresses: Readonly<Record<L | R, string>>;
  readonly #lease: Lease;
  readonly #switch: Switch | undefined;

  private constructor(lease: Lease, { left, right }: Names<L, R>, cores: Cores | null) {
    const hostOf = (name: string) => new NamespaceHost(name, namespaceOf(lease, name), lease, cores === null ? null : name === 'router' ? cores.router : cores.others);
    this.#lease = lease;
    this.router = hostOf('router');
    this.left = left.map((name, k) => {
      const subnet = leftSubnet(k);
      return { host: hostOf(name), address: addressOf(subnet, 2), network: `10.0.${subnet}.0/24`, routerDevice: `toLeft${k + 1}` };
    });
    this.right = right.map((name, k) => ({ host: hostOf(name), address: rightAddress(k) }));
    const ends = [...this.left, ...this.right];
    this.hosts = Object.fromEntries([['router', this.router], ...ends.map(({ host }) => [host.name, host])]) as Record<L | R | 'router', Host>;
    this.addresses = Object.fromEntries(ends.map(({ host, address }) => [host.name, address])) as Record<L | R, string>;
    this.#switch = right.length > 1 ? new Switch(lease) : undefined;
  }

  static build(lease: Lease): Promise<UsualDumbbell>;
  static build<L extends string, R extends string>(lease: Lease, names: Names<L, R>, cores?: Cores | null): Promise<Dumbbell<L, R>>;
  /** Makes the namespaces and everything between them. What was made is removed again if a step fails. `cores`: what runs on the hosts stays on them. */
  static async build(lease: Lease, names: Names<string, string> = usual, cores: Cores | null = null): Promise<Dumbbell> {
    if (Math.max(names.left.length, names.right.length) > mostHosts) throw new CoexistError('bad-definition', `a side of the network has at most ${mostHosts} hosts`);
    const dumbbell = new Dumbbell(lease, names, cores);
    try {
      await dumbbell.#makeNamespaces();
      await dumbbell.#configure();
      return dumbbell;
    } catch (error) {
      await dumbbell.remove();
      throw error;
    }
  }

  /** Where everything that has left the bottleneck comes in. */
  get behindBottleneck(): { host: Host; device: string } {
    return this.#switch === undefined ? { host: this.right[0]!.host, device: hostDevice } : { host: this.#switch.host, device: this.#switch.uplink };
  }

  async remove(): Promise<void> {
    await Promise.all(this.#namespaces.map(async namespace => {
      await removeNamespace(namespace);
      this.#lease.dropNamespace(namespace);
    }));
  }

  get #ends(): Endpoint[] {
    return [...this.left, ...this.right];
  }

  get #namespaces(): string[] {
    return [...[this.router, ...this.#ends.map(({ host }) => host)].map(({ name }) => namespaceOf(this.#lease, name)), ...(this.#switch === undefined ? [] : [this.#switch.namespace])];
  }

  async #makeNamespaces(): Promise<void> {
    for (const namespace of this.#namespaces) this.#lease.addNamespace(namespace);
    const of = ({ name }: Host) => namespaceOf(this.#lease, name);
    const pair = (device: string, inside: string, mac: string, peer: string, peerInside: string, peerMac?: string) =>
      `link add name ${device} netns ${inside} address ${mac} type veth peer name ${peer} netns ${peerInside}${peerMac === undefined ? '' : ` address ${peerMac}`}`;
    const legs = this.left.map(({ host, routerDevice }, k) => pair(hostDevice, of(host), macOf(leftSubnet(k), 2), routerDevice, of(this.router), macOf(leftSubnet(k), 1)));
    const [only] = this.right;
    const between = this.#switch;
    const rightSide = between === undefined ? [pair(hostDevice, of(only!.host), macOf(rightSubnet, 2), bottleneckDevice, of(this.router), macOf(rightSubnet, 1))] : [
      pair(bottleneckDevice, of(this.router), macOf(rightSubnet, 1), between.uplink, between.namespace),
      ...this.right.map(({ host }, k) => pair(hostDevice, of(host), macOf(rightSubnet, k + 2), between.port(k), between.namespace)),
    ];
    await run(['ip', '-batch', '-'], {
      input: [...this.#namespaces.map(namespace => `netns add ${namespace}`), ...legs, ...rightSide].join('\n'), code: 'missing-kernel-feature',
      hint: 'network namespaces and veth need root and a kernel with CONFIG_NET_NS and CONFIG_VETH; "npm run doctor" tells more',
    });
  }

  async #configure(): Promise<void> {
    await Promise.all([applySettings(this.router, ['net.ipv4.ip_forward=1']), ...this.#ends.map(({ host }) => applySettings(host))]);
    await Promise.all([
      this.#configureRouter(), this.#switch?.configure({ router: macOf(rightSubnet, 1), hosts: this.right.map((_, k) => macOf(rightSubnet, k + 2)) }),
      ...this.left.map(({ host }, k) => configureEnd(host, leftSubnet(k), 2)), ...this.right.map(({ host }, k) => configureEnd(host, rightSubnet, k + 2)),
    ]);
  }

  async #configureRouter(): Promise<void> {
    await Promise.all([...this.left.map(({ routerDevice }) => routerDevice), bottleneckDevice].map(device => this.router.run(withoutOffloads(device))));
    const leg = (subnet: number, device: string) => [`addr add ${routerAddress(subnet)}/24 dev ${device}`, `link set dev ${device} up`];
    const knows = (subnet: number, end: number, device: string) => `neigh replace ${addressOf(subnet, end)} lladdr ${macOf(subnet, end)} dev ${device} nud permanent`;
    await this.router.run(['ip', '-batch', '-'], {
      input: [
        'link set dev lo up',
        ...this.left.flatMap(({ routerDevice }, k) => [...leg(leftSubnet(k), routerDevice), knows(leftSubnet(k), 2, routerDevice)]),
        ...leg(rightSubnet, bottleneckDevice), ...this.right.map((_, k) => knows(rightSubnet, k + 2, bottleneckDevice)),
      ].join('\n'),
    });
  }

  /** Proves that segmentation and checksum offloads are off at every end. Throws `link-refused` with the reading. */
  async checkOffloads(): Promise<void> {
    const routers = [...this.left.map(({ routerDevice }) => routerDevice), bottleneckDevice];
    const ends: [Host, string][] = [...this.#ends.map(({ host }): [Host, string] => [host, hostDevice]), ...routers.map((device): [Host, string] => [this.router, device])];
    await Promise.all(ends.map(async ([host, device]) => {
      const on = enabledOffloads((await host.run(['ethtool', '-k', device])).stdout);
      if (on.length > 0) throw new CoexistError('link-refused', `the link is not what was asked for: offloads are on at ${host.name}'s ${device}: ${on.join(', ')}`);
    }));
  }

  /**
   * Proves that every host on the left reaches one on the right through the router, and each on the right one on the left, and that
   * no host has learnt another way. Throws `link-refused` with the reading where one does not.
   */
  async checkRoutes(): Promise<void> {
    const pairs = Array.from({ length: Math.max(this.left.length, this.right.length) }, (_, k) => {
      const place = k % this.left.length;
      return { left: this.left[place]!, right: this.right[k % this.right.length]!, subnet: leftSubnet(place) };
    });
    await Promise.all(pairs.flatMap(({ left, right, subnet }) => [checkRoute(left, right, routerAddress(subnet)), checkRoute(right, left, routerAddress(rightSubnet))]));
    await Promise.all(pairs.map(({ left, right }) => checkPing(left, right)));
  }
}

async function checkRoute(from: Endpoint, to: Endpoint, via: string): Promise<void> {
  const { stdout } = await from.host.run(['ip', '-j', 'route', 'get', to.address], { code: 'link-refused' });
  const [route] = JSON.parse(stdout) as { gateway?: string; flags?: string[]; cache?: string[] }[];
  const redirected = [...route?.flags ?? [], ...route?.cache ?? []].includes('redirected');
  if (route?.gateway === via && !redirected) return;
  throw new CoexistError('link-refused', `route check: ${from.host.name} would reach ${to.address} ${redirected ? 'by an ICMP redirect' : `by ${route?.gateway ?? 'a direct link'}`} instead of the router ${via}`);
}

async function checkPing(from: Endpoint, to: Endpoint): Promise<void> {
  const { status, stdout } = await from.host.run(['ping', '-n', '-c', '1', '-W', '2', to.address], { allowFailure: true });
  const ttl = Number(/ttl=(\d+)/.exec(stdout)?.[1]);
  if (status === 0 && ttl === 63) return;
  throw new CoexistError('link-refused', `route check: ping from ${from.host.name} to ${to.host.name} ${status === 0 ? `came back with TTL ${ttl}, not over exactly one router (63)` : 'was not answered'}`);
}

/** Gives a host its address in a leg's network, and the way to the router. */
async function configureEnd(host: Host, subnet: number, end: number): Promise<void> {
  await host.run(withoutOffloads(hostDevice));
  await host.run(['ip', '-batch', '-'], {
    input: [
      'link set dev lo up',
      `addr add ${addressOf(subnet, end)}/24 dev ${hostDevice}`,
      `link set dev ${hostDevice} up`,
      `neigh replace ${routerAddress(subnet)} lladdr ${macOf(subnet, 1)} dev ${hostDevice} nud permanent`,
      `route add default via ${routerAddress(subnet)}`,
    ].join('\n'),
  });
}
