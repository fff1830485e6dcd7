/** The sockets of all iperf applications of a host, read at once for those that ask at the same time. */
import { setImmediate } from 'node:timers/promises';
import { nowMs } from '../../../core/clock.ts';
import type { Host } from '../../../core/host.ts';
import { tcpSockets } from '../../collect/tcp-sockets.ts';
import type { TcpSocket } from '../../collect/tcp-sockets.ts';
import { firstPort, lastPort } from './ports.ts';

export type SocketReading = { timeMs: number; sockets: readonly TcpSocket[] };

/** Readings that have not begun. */
const coming = new WeakMap<Host, Promise<SocketReading>>();

export function readSockets(host: Host): Promise<SocketReading> {
  const same = coming.get(host);
  if (same !== undefined) return same;
  const reading = setImmediate().then(async () => {
    coming.delete(host);
    const sockets = await tcpSockets(host, firstPort, lastPort);
    return { timeMs: nowMs(), sockets };
  });
  coming.set(host, reading);
  return reading;
}
