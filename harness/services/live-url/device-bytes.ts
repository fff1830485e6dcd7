/**
 * Counts the bytes that a client has received from any sender. For a page from the Internet there is no other source of
 * this number.
 */
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';
import { ipLinks, readIpJson } from '../../../core/system/ip-json.ts';

/**
 * Returns the bytes that all network devices of the client except the loopback have received since they were created.
 */
export async function receivedBytes(client: Pick<Host, 'run'>): Promise<number> {
  const { stdout } = await client.run(['ip', '-j', '-s', 'link', 'show', 'up'], { code: 'service-failed' });
  const devices = readIpJson(stdout, ipLinks, 'service-failed').filter(({ ifname }) => ifname !== 'lo');
  if (devices.length === 0) throw new CoexistError('service-failed', 'the client has no device that is up');
  return devices.reduce((sum, { stats64 }) => sum + (stats64?.rx.bytes ?? 0), 0);
}
