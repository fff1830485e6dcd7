/**
 * Whether the kernel forwards packets that arrive at a device of the machine (net.ipv4.conf.DEVICE.forwarding); the
 * input device alone decides that (ip_route_input_slow in net/ipv4/route.c). Several runs may need it for the same
 * device: the last one restores the value from before the first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CoexistError, systemCode } from '../../core/errors.ts';
import { type LeasedUplink, leasedUplinks } from '../../core/system/lease.ts';

/** Where the kernel has its settings, a folder for each device. */
const kernel = '/proc/sys/net/ipv4/conf';
const settingOf = (device: string, settings: string) => `${settings}/${device}/forwarding`;

/** What it was before any run touched it: "0" or "1". */
export function forwardingBefore(device: string, settings = kernel): string {
  const other = leasedUplinks().find(uplink => uplink.device === device);
  return other?.forwarding ?? readFileSync(settingOf(device, settings), 'utf8').trim();
}

/** Throws `no-internet` where it cannot be set. */
export function forward(device: string, settings = kernel): void {
  try {
    writeFileSync(settingOf(device, settings), '1');
  } catch (error) {
    throw new CoexistError(
      'no-internet',
      `packets that come in at ${device} cannot be forwarded (${systemCode(error) ?? 'the kernel refuses'})`,
      {
        hint: 'in a container, /proc/sys must be writable',
        cause: error,
      },
    );
  }
}

/** Puts back what was before, unless another run still needs it. */
export function forwardAsBefore({ name, device, forwarding }: LeasedUplink, settings = kernel): void {
  if (leasedUplinks().some(other => other.name !== name && other.device === device)) return;
  try {
    writeFileSync(settingOf(device, settings), forwarding);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error; // a device that is gone forwards nothing
  }
}
