/**
 * Checks that the machines' devices and routing tables that a link needs are free. The harness does not change what
 * others have configured.
 */
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';
import type { Topology } from '../topology.ts';

type Place = { host: Pick<Host, 'name' | 'run'>; device: string };
type Sides = Pick<Topology, 'left' | 'router' | 'bottleneckDevice' | 'behindBottleneck'>;

const refuse = ({ name }: Place['host'], what: string, hint: string) =>
  new CoexistError('no-host', `machine "${name}": ${what}`, { hint });

async function checkDevice({ host, device }: Place): Promise<void> {
  const { stdout } = await host.run(['tc', 'qdisc', 'show', 'dev', device]);
  // a qdisc that the kernel added on creation of the device has no handle
  const other = [...stdout.matchAll(/^qdisc (\S+) (\S+) (root|ingress|parent ffff:fff1)/gm)].find(
    ([, , handle, where]) => where !== 'root' || handle !== '0:',
  )?.[1];
  if (other !== undefined)
    throw refuse(
      host,
      `${device} has the queue discipline ${other}, which somebody has set`,
      `if nothing needs it any more, on it: tc qdisc del dev ${device} ${other === 'clsact' || other === 'ingress' ? other : 'root'}`,
    );
}

export async function hasRule(host: Place['host'], priority: number): Promise<boolean> {
  return new RegExp(`^${priority}:`, 'm').test((await host.run(['ip', 'rule', 'show'])).stdout);
}

async function checkTable(host: Place['host'], table: number): Promise<void> {
  const routes = (await host.run(['ip', 'route', 'show', 'table', String(table)], { allowFailure: true })).stdout;
  if (routes.trim() !== '' || (await hasRule(host, table)))
    throw refuse(
      host,
      `its routing table or rule ${table} is in use`,
      `another study may run there; if nothing needs it any more, on it: ip rule del pref ${table}; ip route flush table ${table}`,
    );
}

/**
 * Throws `no-host`, with the machine and the resource in use, if a resource is not free. `tables`: routing tables of a
 * link on the router.
 */
export async function checkFree(
  { left, router, bottleneckDevice, behindBottleneck }: Sides,
  tables: readonly number[],
): Promise<void> {
  const devices = new Set([bottleneckDevice, ...left.map(({ device }) => device)]);
  const places = [...[...devices].map(device => ({ host: router, device })), behindBottleneck];
  await Promise.all([...places.map(checkDevice), ...tables.map(table => checkTable(router, table))]);
}
