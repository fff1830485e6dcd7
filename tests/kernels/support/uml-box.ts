/**
 * The study's four hosts with another kernel in the middle: server, client and other are namespaces of this machine,
 * as in the product's dumbbell, and their devices are the ends of TAP devices whose other ends are the router's.
 */
import { run } from '../../../core/system/command.ts';
import type { Host } from '../../../core/system/host.ts';
import type { Lease } from '../../../core/system/lease.ts';
import { bottleneckDevice, hostDevice, mac, networkOf, rightSubnet } from '../../../shaper/topology/legs.ts';
import { NamespaceHost, removeNamespaces } from '../../../shaper/topology/namespace-host.ts';
import { offloads } from '../../../shaper/topology/offloads.ts';
import type { Topology } from '../../../shaper/topology/topology.ts';
import { UmlRouter } from './uml-router.ts';

/** In the order of the router's devices. */
const legs = [
  { role: 'server', subnet: 1, routerDevice: 'toServer', tap: 'tapServer' },
  { role: 'client', subnet: 2, routerDevice: 'toClient', tap: 'tapClient' },
  { role: 'other', subnet: 3, routerDevice: 'toFlooder', tap: 'tapFlooder' },
] as const;

/** Packets that may wait for the kernel to take them: no bottleneck of ours. */
const waitingPackets = 10_000;
const settings = [
  'net.ipv4.conf.all.send_redirects=0',
  'net.ipv4.conf.default.send_redirects=0',
  'net.ipv4.conf.all.rp_filter=0',
  'net.ipv4.conf.default.rp_filter=0',
  'net.ipv4.tcp_no_metrics_save=1',
];
const ipv6Off = ['net.ipv6.conf.all.disable_ipv6=1', 'net.ipv6.conf.default.disable_ipv6=1'];

const roles = ['server', 'router', 'client', 'other'] as const;
type Role = (typeof roles)[number];
const byRole = <T>(value: (role: Role) => T) =>
  Object.fromEntries(roles.map(role => [role, value(role)])) as Record<Role, T>;

export class UmlBox {
  readonly hosts: Readonly<Record<Role, Host>>;
  readonly addresses = { server: '10.0.1.2', client: '10.0.2.2', other: '10.0.3.2', router: '10.0.2.1' } as const;
  readonly router: UmlRouter;
  readonly #namespaces: Record<Role, string>;
  readonly #outside: NamespaceHost;
  readonly #lease: Lease;

  private constructor(lease: Lease) {
    this.#lease = lease;
    this.#namespaces = byRole(role => `coexist-${lease.id}-${role}`);
    this.#outside = new NamespaceHost('router', this.#namespaces.router, lease);
    this.router = new UmlRouter(this.#outside, lease.scratch);
    this.hosts = { ...byRole(role => new NamespaceHost(role, this.#namespaces[role], lease)), router: this.router };
  }

  /** Boots the kernel and makes the network round it. What was made is removed again if a step fails. */
  static async build(lease: Lease): Promise<UmlBox> {
    const box = new UmlBox(lease);
    try {
      for (const role of roles) lease.addNamespace(box.#namespaces[role]);
      await run(['ip', '-batch', '-'], { input: roles.map(role => `netns add ${box.#namespaces[role]}`).join('\n') });
      await box.#outside.run(['ip', '-batch', '-'], {
        input: legs
          .flatMap(({ tap }) => [
            `tuntap add dev ${tap} mode tap`,
            `link set dev ${tap} txqueuelen ${waitingPackets} up`,
          ])
          .join('\n'),
      });
      await box.router.boot(legs.map(({ tap, subnet }) => ({ tap, mac: mac(subnet, 1) })));
      for (const { role, tap } of legs)
        await box.#outside.run(['ip', 'link', 'set', 'dev', tap, 'netns', box.#namespaces[role], 'name', hostDevice]);
      await Promise.all([box.#configureRouter(), ...legs.map(leg => box.#configureEnd(leg))]);
      return box;
    } catch (error) {
      await box.remove();
      throw error;
    }
  }

  /** As the product's links take it. */
  get topology(): Topology {
    const { hosts, addresses, router } = this;
    const left = legs
      .filter(({ role }) => role !== 'client')
      .map(({ role, subnet, routerDevice }) => ({
        host: hosts[role],
        address: addresses[role],
        ownDevice: hostDevice,
        device: routerDevice,
        network: networkOf(subnet),
      }));
    return {
      left,
      right: [{ host: hosts.client, address: addresses.client }],
      rightNetwork: networkOf(rightSubnet),
      router,
      bottleneckDevice,
      behindBottleneck: { host: hosts.client, device: hostDevice },
    };
  }

  async remove(): Promise<void> {
    await this.router.stop();
    await removeNamespaces(Object.values(this.#namespaces));
    for (const namespace of Object.values(this.#namespaces)) this.#lease.dropNamespace(namespace);
  }

  async #configureRouter(): Promise<void> {
    await this.router.run(['sysctl', '-q', '-w', ...settings, 'net.ipv4.ip_forward=1']);
    for (const { routerDevice } of legs)
      await this.router.run(['ethtool', '-K', routerDevice, ...offloads.flatMap(name => [name, 'off'])]);
    await this.router.run(['ip', '-batch', '-'], {
      input: legs
        .flatMap(({ subnet, routerDevice }) => [
          `addr add 10.0.${subnet}.1/24 dev ${routerDevice}`,
          `neigh replace 10.0.${subnet}.2 lladdr ${mac(subnet, 2)} dev ${routerDevice} nud permanent`,
        ])
        .join('\n'),
    });
  }

  async #configureEnd({ role, subnet }: (typeof legs)[number]): Promise<void> {
    const host = this.hosts[role];
    const ipv6 = (await run(['test', '-d', '/proc/sys/net/ipv6'], { allowFailure: true })).status === 0;
    await host.run(['sysctl', '-q', '-w', ...settings, ...(ipv6 ? ipv6Off : [])]);
    await host.run(['ethtool', '-K', hostDevice, ...offloads.flatMap(name => [name, 'off'])]);
    await host.run(['ip', '-batch', '-'], {
      input: [
        'link set dev lo up',
        `link set dev ${hostDevice} address ${mac(subnet, 2)}`,
        `link set dev ${hostDevice} up`,
        `addr add 10.0.${subnet}.2/24 dev ${hostDevice}`,
        `neigh replace 10.0.${subnet}.1 lladdr ${mac(subnet, 1)} dev ${hostDevice} nud permanent`,
        `route add default via 10.0.${subnet}.1`,
      ].join('\n'),
    });
  }
}
