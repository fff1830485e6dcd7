/**
 * Set-up of a namespace before it carries packets. One program does it for each namespace, since there may be more than
 * a hundred of them.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { type Setting, settingLine, settingsFor, writeSetting } from './kernel-settings.ts';
import { behindEnd, hostAddress, hostDevice, hostEnd, mac, rightSubnet, routerAddress, routerEnd } from './legs.ts';
import { enabledOffloads, offloads } from './offloads.ts';

/** IPv6 settings; skipped if the kernel has no IPv6. */
const ipv6Settings = [
  ['net/ipv6/conf/all/disable_ipv6', 1],
  ['net/ipv6/conf/default/disable_ipv6', 1],
  ['net/ipv6/conf/default/autoconf', 0],
  ['net/ipv6/conf/default/accept_ra', 0],
] as const;

const offloadsOff = offloads.map(name => `${name} off`).join(' ');

/**
 * Writes the kernel's settings and those of `more`, turns offloads off on `devices`, then runs the lines `ip` by "ip
 * -batch". Throws an error with `code` and `hint` if a step fails.
 */
export async function setUp(
  host: Pick<Host, 'run'>,
  {
    more = [],
    devices,
    ip,
    ...failure
  }: {
    more?: readonly Setting[];
    devices: readonly string[];
    ip: readonly string[];
    code?: 'missing-kernel-feature';
    hint?: string;
  },
): Promise<void> {
  const script = [
    ...settingsFor([]).map(settingLine),
    ...more.map(writeSetting),
    `if [ -d /proc/sys/net/ipv6 ]; then`,
    ...ipv6Settings.map(writeSetting),
    'fi',
    `for device in ${devices.join(' ')}; do ethtool -K "$device" ${offloadsOff}; done`,
    'ip -batch -',
  ].join('\n');
  await host.run(['sh', '-ec', script], { input: ip.join('\n'), ...failure });
}

/** Gives a host its address in a network with the router, and its route there. */
export function setUpEnd(host: Host, subnet: number, end = hostEnd()): Promise<void> {
  return setUp(host, {
    devices: [hostDevice],
    ip: [
      'link set dev lo up',
      `addr add ${hostAddress(subnet, end)}/24 dev ${hostDevice}`,
      `link set dev ${hostDevice} up`,
      `neigh replace ${routerAddress(subnet)} lladdr ${mac(subnet, routerEnd)} dev ${hostDevice} nud permanent`,
      `route add default via ${routerAddress(subnet)}`,
    ],
  });
}

/**
 * A network of a router, with the router's device there and the number of hosts. `own`: number of the router in that
 * network, if it is not the first.
 */
export type Leg = { subnet: number; device: string; hosts: number; own?: number };

/** A host on the right that is connected to a router in the row. `end`: number of the host among those on the right. */
export type Exit = { device: string; end: number };

/**
 * Priority of the rules that lead packets to exits, before those that lead packets into a bottleneck
 * (emulator/link-redirect.ts).
 */
const exitRule = 100;

/**
 * Sets up a router. `routes`: lines of "ip route add" for networks that are not its own. `exits`: hosts that it reaches
 * without its bottleneck; these and the hosts behind them have addresses of the network on the right.
 */
export function setUpRouter(
  router: Host,
  legs: readonly Leg[],
  { routes = [], exits = [] }: { routes?: readonly string[]; exits?: readonly Exit[] } = {},
): Promise<void> {
  const neighbour = (subnet: number, end: number, device: string) =>
    `neigh replace ${hostAddress(subnet, end)} lladdr ${mac(subnet, end)} dev ${device} nud permanent`;
  return setUp(router, {
    more: [['net/ipv4/ip_forward', 1]],
    devices: [...legs, ...exits].map(({ device }) => device),
    ip: [
      'link set dev lo up',
      ...legs.flatMap(({ subnet, device, hosts, own = routerEnd }) => [
        `addr add ${hostAddress(subnet, own)}/24 dev ${device}`,
        `link set dev ${device} up`,
        ...(own === routerEnd
          ? Array.from({ length: hosts }, (_, k) => neighbour(subnet, hostEnd(k), device))
          : [neighbour(subnet, routerEnd, device)]),
      ]),
      ...routes.map(route => `route add ${route}`),
      ...exits.flatMap(({ device, end }) => [
        `link set dev ${device} up`,
        neighbour(rightSubnet, end, device),
        ...[end, behindEnd(rightSubnet, end)].flatMap(one => [
          `route add ${hostAddress(rightSubnet, one)}/32 dev ${device}`,
          `rule add pref ${exitRule} to ${hostAddress(rightSubnet, one)} lookup main`,
        ]),
      ]),
    ],
  });
}

/** Throws `link-refused` with the device and its active offloads if an offload is on. */
export async function checkOffloadsOff(host: Host, devices: readonly string[]): Promise<void> {
  const { stdout } = await host.run(['sh', '-ec', `for device in ${devices.join(' ')}; do ethtool -k "$device"; done`]);
  // the output repeats "Features for eth0:" followed by the features
  for (const part of stdout.split(/^(?=Features for )/m)) {
    const on = enabledOffloads(part);
    const device = /^Features for (\S+):/.exec(part)?.[1];
    if (on.length > 0)
      throw new CoexistError(
        'link-refused',
        `the link is not what was asked for: offloads are on at ${host.name}'s ${device}: ${on.join(', ')}`,
      );
  }
}
