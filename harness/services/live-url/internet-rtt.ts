/**
 * The round-trip time of the Internet itself: how long a TCP connection takes to open (SYN to SYN-ACK) from the
 * machine, outside the bottleneck. It cannot be removed, so a link with a shorter base round-trip time still has this
 * one.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { CoexistError } from '../../../core/errors.ts';

const probes = 5;
const probeMs = 5000;

export type InternetRtt = {
  address: string;
  /** Of each probe. */
  timesMs: number[];
};

/**
 * `isRefused`: of addresses that the page itself would not get to, as a name may lead anywhere. Throws `service-failed`
 * where it leads there, or nobody answers.
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
