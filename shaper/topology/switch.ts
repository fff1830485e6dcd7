/**
 * Several hosts behind one bottleneck. A switch takes the place of the host at the router's shaped device, and all
 * hosts are connected to it in one network.
 *
 *   router  10.0.2.1 ===[bottleneck]=== switch --- 10.0.2.2
 *                                          \---- 10.0.2.3
 *
 * All packets towards the hosts pass the same queue; nothing is queued behind it. The switch is a bridge in its own
 * namespace. It knows all addresses in advance. The ports of its hosts are isolated: they reach the router but not each
 * other.
 */
import type { Host } from '../../core/system/host.ts';
import { setUp } from './host-setup.ts';
import { hostEnd, mac, rightSubnet, routerEnd } from './legs.ts';

/** Name of the switch's device towards the router. */
export const uplinkPort = 'uplink';
/** Returns the name of the switch's device towards a host, by the host's place on the right. */
export const hostPort = (index: number) => `port${index + 1}`;
export const uplinkMac = mac(rightSubnet, 0xff);
const bridge = 'switch';

/** Sets up the switch. `places`: places on the right of the hosts behind it. */
export async function setUpSwitch(host: Host, places: readonly number[]): Promise<void> {
  const ports = places.map(hostPort);
  await setUp(host, {
    devices: [uplinkPort, ...ports],
    ip: [
      `link add name ${bridge} type bridge stp_state 0 mcast_snooping 0`,
      `link set dev ${bridge} up`,
      ...[uplinkPort, ...ports].flatMap(port => [`link set dev ${port} master ${bridge}`, `link set dev ${port} up`]),
      ...ports.map(port => `link set dev ${port} type bridge_slave isolated on`),
    ],
    code: 'missing-kernel-feature',
    hint: 'two clients behind one bottleneck need a kernel with CONFIG_BRIDGE',
  });
  const known = [[routerEnd, uplinkPort] as const, ...places.map(k => [hostEnd(k), hostPort(k)] as const)];
  await host.run(['bridge', '-batch', '-'], {
    input: known.map(([end, port]) => `fdb replace ${mac(rightSubnet, end)} dev ${port} master static`).join('\n'),
  });
}
