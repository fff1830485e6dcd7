/**
 * Finds the UDP port at which a browser receives, in the browser's SDP offer. A tunnel needs it, since it carries one
 * port.
 */
import { CoexistError } from '../../../core/errors.ts';

/**
 * Returns the port. Throws `no-video` unless exactly one UDP port appears among the offer's host candidates with
 * `address` (RFC 8839, section 5.1).
 */
export function offerPort(sdp: string, address: string): number {
  const ports = [...sdp.matchAll(/^a=candidate:\S+ \d+ udp \d+ (\S+) (\d+) typ host/gim)]
    .filter(([, of]) => of === address)
    .map(([, , port]) => Number(port));
  const [port, ...others] = new Set(ports);
  if (port === undefined || others.length > 0) {
    const offered = ports.length === 0 ? 'no UDP port' : `${1 + others.length} UDP ports`;
    throw new CoexistError(
      'no-video',
      `the call was not made: the caller offers ${offered} at ${address}, and the tunnel carries one`,
    );
  }
  return port;
}
