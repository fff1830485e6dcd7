/**
 * The round-trip time that the Internet has of itself: how long a TCP connection takes to open (SYN to SYN-ACK) from the machine, past the
 * bottleneck. Nothing can take it away, so a link that is to have less has this.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { CoexistError } from '../../../core/errors.ts';

const probes = 5;
const probeMs = 5000;

export type InternetRtt = { address: string; /** Of each probe. */ timesMs: number[] };

/** Throws `service-failed` where nobody answers. */
export async function internetRtt(host: string, port: number): Promise<InternetRtt> {
  try {
    const { address } = await lookup(host, 4);
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
    throw new CoexistError('service-failed', `${host} port ${port} does not answer`, { cause: error });
  }
}
