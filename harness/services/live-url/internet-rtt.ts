/**
 * Measures the round-trip time of the Internet path: the time in which a TCP connection opens (SYN to SYN-ACK), from
 * the machine, without the bottleneck. It takes the place of the link's base round-trip time: a delay of the Internet
 * cannot be removed, and none is added.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { CoexistError } from '../../../core/errors.ts';

const probes = 5;
const probeMs = 5000;

export type InternetRtt = {
  address: string;
  /** Round-trip times of the probes, ms. */
  timesMs: number[];
};

/**
 * `isRefused`: returns true for addresses that the page cannot reach; a name may resolve to any address. Throws
 * `service-failed` if the name resolves to such an address, or if no answer comes.
 */
export async function internetRtt(
  host: string,
  port: number,
  isRefused: (address: string) => boolean,
): Promise<InternetRtt> {
  try {
    const { address } = await lookup(host, 4);
    if (isRefused(address))
      throw new CoexistError('service-failed', `${host} is ${address}, an address that is closed to live services`);
    const timesMs: number[] = [];
    for (let k = 0; k < probes; k++) {
      const beganMs = performance.now();
      const socket = connect({ host: address, port, signal: AbortSignal.timeout(probeMs) });
      await once(socket, 'connect');
      timesMs.push(performance.now() - beganMs);
      socket.destroy();
    }
    return { address, timesMs };
  } catch (error) {
    if (error instanceof CoexistError) throw error;
    throw new CoexistError('service-failed', `${host} port ${port} does not answer`, { cause: error });
  }
}
