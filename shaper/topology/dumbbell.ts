/**
 * Four hosts, one bottleneck: server and flooder reach the client through the router and no other way.
 *
 *   server  10.0.1.2 --- 10.0.1.1 \
 *                                  router  10.0.2.1 ===[bottleneck]=== 10.0.2.2  client
 *   flooder 10.0.3.2 --- 10.0.3.1 /
 *
 * Layer 3 throughout. Segmentation offloads are off on every end, so that the queue holds the packets
 * that the wire would carry; neighbours are permanent and IPv6 is off, so that no loss or delay
 * ever falls on address resolution; the router sends no ICMP redirects, so no host learns a way round it.
 */
import { run } from '../../core/command.ts';
import type { Lease } from '../../core/lease.ts';
import { CoexistError } from '../../core/errors.ts';
import type { Host, Role } from '../../core/host.ts';
import { byRole, roles } from '../../core/host.ts';
import { NamespaceHost, removeNamespace } from './namespace-host.ts';
import { enabledOffloads, offloads } from './offloads.ts';

/** Numbers of the cores for the router, and for the other hosts. */
export type Cores = { router: readonly number[]; others: readonly number[] };

type Leg = { role: Exclude<Role, 'router'>; subnet: number; routerDevice: string };

const legs: readonly Leg[] = [
  { role: 'server', subnet: 1, routerDevice: 'toServer' },
  { role: 'client', subnet: 2, routerDevice: 'toClient' },
  { role: 'flooder', subnet: 3, routerDevice: 'toFlooder' },
];

/** The device of every host but the router. */
export const hostDevice = 'eth0';
/** The router's device that carries the bottleneck queue. */
export const bottleneckDevice = 'toClient';
/** The router's devices towards the senders. */
export const routerDevices = { server: 'toServer', flooder: 'toFlooder' } as const;

/** The networks of the three hosts. */
export const subnets = { server: '10.0.1.0/24', client: '10.0.2.0/24', flooder: '10.0.3.0/24' } as const;

/** A host's end of a leg is 2, the router's 1, a second client's 3. */
export const hostAddress = (subnet: number, end = 2) => `10.0.${subnet}.${end}`;
const routerAddress = (subnet: number) => `10.0.${subnet}.1`;
export const mac = (subnet: number, end: number) => `02:00:00:00:0${subnet}:0${end}`;

/** Name of a host's namespace in a run. */
export const namespaceOf = (lease: Lease, name: string) => `coexist-${lease.id}-${name}`;

/** Settings of every namespace. IPv6 ones are left out where the kernel has no IPv6. */
const everySetting = [
  'net.ipv4.conf.all.accept_redirects=0', 'net.ipv4.conf.default.accept_redirects=0',
  'net.ipv4.conf.all.send_redirects=0', 'net.ipv4.conf.default.send_redirects=0',
  'net.ipv4.conf.all.rp_filter=0', 'net.ipv4.conf.default.rp_filter=0',
  'net.ipv4.tcp_no_metrics_save=1',
];
const ipv6Settings = ['net.ipv6.conf.all.disable_ipv6=1', 'net.ipv6.conf.default.disable_ipv6=1', 'net.ipv6.conf.default.autoconf=0', 'net.ipv6.conf.default.accept_ra=0'];

export class Dumbbell {
  readonly hosts: Readonly<Record<Role, Host>>;
  readonly addresses = { server: hostAddress(1), client: hostAddress(2), flooder: hostAddress(3), router: routerAddress(2) } as const;
  readonly #namespaces: Record<Role, string>;
  readonly #lease: Lease;

  private constructor(lease: Lease, cores: Cores | null) {
    this.#lease = lease;
    this.#namespaces = byRole(role => namespaceOf(lease, role));
    this.hosts = byRole(role => new NamespaceHost(role, this.#namespaces[role], lease, cores === null ? null : role === 'router' ? cores.router : cores.others));
  }

  /** Makes the namespaces and everything between them. What was made is removed again if a step fails. `cores`: what runs on the hosts stays on them. */
  static async build(lease: Lease, cores: Cores | null = null): Promise<Dumbbell> {
    const dumbbell = new Dumbbell(lease, cores);
    try {
      await dumbbell.#makeNamespaces();
      await dumbbell.#configure();
      return dumbbell;
    } catch (error) {
      await dumbbell.remove();
      throw error;
    }
  }

  async remove(): Promise<void> {
    await Promise.all(roles.map(async role => {
      await removeNamespace(this.#namespaces[role]);
      this.#lease.dropNamespace(this.#namespaces[role]);
    }));
  }

  async #makeNamespaces(): Promise<void> {
    for (const role of roles) this.#lease.addNamespace(this.#namespaces[role]);
    const commands = roles.map(role => `netns add ${this.#namespaces[role]}`);
    for (const { role, subnet, routerDevice } of legs) {
      commands.push(`link add name ${hostDevice} netns ${this.#namespaces[role]} address ${mac(subnet, 2)} type veth `
        + `peer name ${routerDevice} netns ${this.#namespaces.router} address ${mac(subnet, 1)}`);
    }
    await run(['ip', '-batch', '-'], {
      input: commands.join('\n'), code: 'missing-kernel-feature',
      hint: 'network namespaces and veth need root and a kernel with CONFIG_NET_NS and CONFIG_VETH; "npm run doctor" tells more',
    });
  }

  async #configure(): Promise<void> {
    await Promise.all([applySettings(this.hosts.router, ['net.ipv4.ip_forward=1']), ...legs.map(leg => applySettings(this.hosts[leg.role]))]);
    await Promise.all([this.#configureRouter(), ...legs.map(({ role, subnet }) => configureEnd(this.hosts[role], subnet))]);
  }

  async #configureRouter(): Promise<void> {
    const router = this.hosts.router;
    for (const { routerDevice } of legs) await router.run(['ethtool', '-K', routerDevice, ...offloads.flatMap(name => [name, 'off'])]);
    await router.run(['ip', '-batch', '-'], {
      input: ['link set dev lo up', ...legs.flatMap(({ subnet, routerDevice }) => [
        `addr add ${routerAddress(subnet)}/24 dev ${routerDevice}`,
        `link set dev ${routerDevice} up`,
        `neigh replace ${hostAddress(subnet)} lladdr ${mac(subnet, 2)} dev ${routerDevice} nud permanent`,
      ])].join('\n'),
    });
  }

  /** Proves that segmentation and checksum offloads are off at every end. Throws `link-refused` with the reading. */
  async checkOffloads(): Promise<void> {
    const ends: [Role, string][] = [...legs.map((leg): [Role, string] => [leg.role, hostDevice]), ...legs.map((leg): [Role, string] => ['router', leg.routerDevice])];
    await Promise.all(ends.map(async ([role, device]) => {
      const on = enabledOffloads((await this.hosts[role].run(['ethtool', '-k', device])).stdout);
      if (on.length > 0) throw new CoexistError('link-refused', `the link is not what was asked for: offloads are on at ${role}'s ${device}: ${on.join(', ')}`);
    }));
  }

  /**
   * Proves that server and flooder reach the client through the router, in both directions, and that
   * no host has learnt another way. Throws `link-refused` with the reading where one does not.
   */
  async checkRoutes(): Promise<void> {
    const { hosts, addresses } = this;
    const ways: [Role, string, string][] = [
      ['server', addresses.client, routerAddress(1)], ['flooder', addresses.client, routerAddress(3)],
      ['client', addresses.server, routerAddress(2)], ['client', addresses.flooder, routerAddress(2)],
    ];
    await Promise.all(ways.map(async ([from, to, via]) => {
      const { stdout } = await hosts[from].run(['ip', '-j', 'route', 'get', to], { code: 'link-refused' });
      const [route] = JSON.parse(stdout) as { gateway?: string; flags?: string[]; cache?: string[] }[];
      const redirected = [...route?.flags ?? [], ...route?.cache ?? []].includes('redirected');
      if (route?.gateway !== via || redirected) {
        throw new CoexistError('link-refused', `route check: ${from} would reach ${to} ${redirected ? 'by an ICMP redirect' : `by ${route?.gateway ?? 'a direct link'}`} instead of the router ${via}`);
      }
    }));
    await Promise.all((['server', 'flooder'] as const).map(async from => {
      const { status, stdout } = await hosts[from].run(['ping', '-n', '-c', '1', '-W', '2', addresses.client], { allowFailure: true });
      const ttl = Number(/ttl=(\d+)/.exec(stdout)?.[1]);
      if (status !== 0 || ttl !== 63) {
        throw new CoexistError('link-refused', `route check: ping from ${from} to the client ${status === 0 ? `came back with TTL ${ttl}, not over exactly one router (63)` : 'was not answered'}`);
      }
    }));
  }
}

/** The kernel's settings of a namespace, and more of them. */
export async function applySettings(host: Host, more: readonly string[] = []): Promise<void> {
  const ipv6 = (await run(['test', '-d', '/proc/sys/net/ipv6'], { allowFailure: true })).status === 0;
  await host.run(['sysctl', '-q', '-w', ...everySetting, ...(ipv6 ? ipv6Settings : []), ...more]);
}

/** Gives a host its address in a leg's network, and the way to the router. `end`: of the host, where it is not the first there. */
export async function configureEnd(host: Host, subnet: number, end?: number): Promise<void> {
  await host.run(['ethtool', '-K', hostDevice, ...offloads.flatMap(name => [name, 'off'])]);
  await host.run(['ip', '-batch', '-'], {
    input: [
      'link set dev lo up',
      `addr add ${hostAddress(subnet, end)}/24 dev ${hostDevice}`,
      `link set dev ${hostDevice} up`,
      `neigh replace ${routerAddress(subnet)} lladdr ${mac(subnet, 1)} dev ${hostDevice} nud permanent`,
      `route add default via ${routerAddress(subnet)}`,
    ].join('\n'),
  });
}
