/**
 * The switch between the bottleneck and several hosts on its right side: a bridge in a namespace of its own.
 *
 * Everything towards either host passes the one queue; nothing is queued behind it. The switch knows all addresses beforehand, and its
 * ports are isolated: hosts reach the router and never each other.
 */
import type { Host } from '../../core/host.ts';
import type { Lease } from '../../core/lease.ts';
import { NamespaceHost, namespaceOf } from './namespace-host.ts';
import { withoutOffloads } from './offloads.ts';
import { applySettings } from './settings.ts';

const bridge = 'switch';
/** Of the switch's own port towards the router: what a bridge has as its own it takes for itself. */
const uplinkMac = '02:00:00:00:02:ff';

export class Switch {
  readonly namespace: string;
  /** Its device towards the router. */
  readonly uplink = 'uplink';
  readonly host: Host;

  constructor(lease: Lease) {
    this.namespace = namespaceOf(lease, 'switch');
    this.host = new NamespaceHost('switch', this.namespace, lease);
  }

  /** Its device towards a host, counted from 0. */
  port(place: number): string {
    return `port${place + 1}`;
  }

  /** Takes the MAC addresses of the router and of the hosts in their places; its devices must be there. */
  async configure({ router, hosts }: { router: string; hosts: readonly string[] }): Promise<void> {
    const ports = hosts.map((_, k) => this.port(k));
    const devices = [this.uplink, ...ports];
    await applySettings(this.host);
    await Promise.all(devices.map(device => this.host.run(withoutOffloads(device))));
    await this.host.run(['ip', '-batch', '-'], {
      input: [
        `link add name ${bridge} type bridge stp_state 0 mcast_snooping 0`, `link set dev ${bridge} up`,
        `link set dev ${this.uplink} address ${uplinkMac}`,
        ...devices.flatMap(device => [`link set dev ${device} master ${bridge}`, `link set dev ${device} up`]),
        ...ports.map(device => `link set dev ${device} type bridge_slave isolated on`),
      ].join('\n'),
      code: 'missing-kernel-feature', hint: 'several hosts behind one bottleneck need a kernel with CONFIG_BRIDGE',
    });
    const knows = [[router, this.uplink], ...hosts.map((mac, k) => [mac, ports[k]!])];
    await this.host.run(['bridge', '-batch', '-'], { input: knows.map(([mac, device]) => `fdb replace ${mac} dev ${device} master static`).join('\n') });
  }
}
