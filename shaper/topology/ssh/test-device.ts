/** Devices that a machine of a lab already has on the test network. */
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';
import { ipAddresses, readIpJson } from '../../../core/system/ip-json.ts';
import type { LabDevice } from './hosts-file.ts';

/** A device, with the prefix length of its network. */
export type TestDevice = LabDevice & { prefixLength: number };

/**
 * Returns the device with its prefix length. Throws `missing-kernel-feature` if the device does not have the address,
 * or is down.
 */
export async function findDevice(
  host: Pick<Host, 'run'>,
  { device, address }: LabDevice,
): Promise<TestDevice & { mtu: number }> {
  const refuse = (what: string) => new CoexistError('missing-kernel-feature', what);
  const { stdout } = await host.run(['ip', '-j', '-4', 'address', 'show', 'dev', device]);
  const [link] = readIpJson(stdout, ipAddresses);
  const own = link?.addr_info?.find(({ local }) => local === address);
  if (link?.mtu === undefined || own?.prefixlen === undefined) {
    const others = link?.addr_info?.map(({ local }) => local).join(', ') ?? '';
    throw refuse(`${device} does not have ${address}${others === '' ? '' : `, but ${others}`}`);
  }
  if (!link.flags?.includes('LOWER_UP')) throw refuse(`${device} is down, or has no cable`);
  return { device, address, prefixLength: own.prefixlen, mtu: link.mtu };
}

const bitsOf = (address: string) => address.split('.').reduce((bits, byte) => bits * 256 + Number(byte), 0);
const networkBits = (address: string, length: number) => Math.floor(bitsOf(address) / 2 ** (32 - length));

export function isInSameNetwork(a: TestDevice, b: TestDevice): boolean {
  const length = Math.min(a.prefixLength, b.prefixLength);
  return networkBits(a.address, length) === networkBits(b.address, length);
}

/** Returns the network of a device, such as "10.77.1.0/24". */
export function networkOfDevice({ address, prefixLength }: TestDevice): string {
  const bits = networkBits(address, prefixLength) * 2 ** (32 - prefixLength);
  return `${[24, 16, 8, 0].map(shift => Math.floor(bits / 2 ** shift) % 256).join('.')}/${prefixLength}`;
}
