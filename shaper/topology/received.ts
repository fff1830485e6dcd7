/**
 * Counts of what hosts have received from the link. A host's device is one end of a veth pair, so the opposite end has
 * sent what the host has received. The opposite ends are in a few namespaces, so one program reads the counts of many
 * hosts.
 */

import { CoexistError } from '../../core/errors.ts';
import { nowMs } from '../../core/system/clock.ts';
import type { Host } from '../../core/system/host.ts';
import { ipLinks, readIpJson } from '../../core/system/ip-json.ts';
import type { DeviceReading } from '../../core/system/network.ts';

/**
 * Device whose counter shows the received traffic of a host: `rx` of the host's own device, or `tx` of the opposite
 * device.
 */
export type CountedAt = { host: Host; device: string; as: 'rx' | 'tx' };

async function countersOf(host: Host) {
  const { stdout } = await host.run(['ip', '-j', '-s', 'link', 'show'], { code: 'link-refused' });
  return { timeMs: nowMs(), devices: readIpJson(stdout, ipLinks, 'link-refused') };
}

/** Returns the counts in the order of `places`. Throws `link-refused` if a device no longer exists. */
export async function readReceived(places: readonly CountedAt[]): Promise<DeviceReading[]> {
  const hosts = [...new Set(places.map(({ host }) => host))];
  const read = new Map(await Promise.all(hosts.map(async host => [host, await countersOf(host)] as const)));
  return places.map(({ host, device, as }) => {
    const { timeMs, devices } = read.get(host)!;
    const counters = devices.find(({ ifname }) => ifname === device)?.stats64?.[as];
    if (counters === undefined)
      throw new CoexistError(
        'link-refused',
        `the device ${device} of ${host.name} is gone: its counters cannot be read`,
      );
    return { timeMs, bytes: counters.bytes, packets: counters.packets };
  });
}
