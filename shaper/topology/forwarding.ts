/**
 * Setting that makes the kernel forward packets that arrive at a device (net.ipv4.conf.DEVICE.forwarding). Only the
 * input device counts (ip_route_input_slow in net/ipv4/route.c). Several runs may need it for the same device: the last
 * run restores the value from before the first run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CoexistError, systemCode } from '../../core/errors.ts';
import { type LeasedUplink, leasedUplinks } from '../../core/system/lease.ts';

/** Folder of the kernel's settings, with one folder for each device. */
const kernel = '/proc/sys/net/ipv4/conf';
const settingOf = (device: string, settings: string) => `${settings}/${device}/forwarding`;

/** Returns the setting of `device` from before any run changed it: "0" or "1". */
export function forwardingBefore(device: string, settings = kernel): string {
  const other = leasedUplinks().find(uplink => uplink.device === device);
  return other?.forwarding ?? readFileSync(settingOf(device, settings), 'utf8').trim();
}

/**
 * Turns on the forwarding of packets that arrive at `device`. Throws `no-internet` if the setting cannot be changed.
 */
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

/** Restores the previous setting unless another run still needs forwarding. */
export function forwardAsBefore({ name, device, forwarding }: LeasedUplink, settings = kernel): void {
  if (leasedUplinks().some(other => other.name !== name && other.device === device)) return;
  try {
    writeFileSync(settingOf(device, settings), forwarding);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error; // a removed device forwards nothing
  }
}
