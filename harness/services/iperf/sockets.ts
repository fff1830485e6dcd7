/** Reads the sockets of all iperf applications on a host. Simultaneous requests share one reading. */
import { setImmediate } from 'node:timers/promises';
import { nowMs } from '../../../core/system/clock.ts';
import type { Host } from '../../../core/system/host.ts';
import { SocketReader, type TcpSocket } from '../../trial/collect/tcp-sockets.ts';
import { firstPort, lastPort } from './ports.ts';

export type SocketReading = { timeMs: number; sockets: readonly TcpSocket[] };

/** Reading of each host that is requested but has not begun. Further requests share it. */
const coming = new WeakMap<Host, Promise<SocketReading>>();
/** Reader of each host in use, with the number of its users. */
const readers = new WeakMap<Host, { reader: SocketReader; users: number }>();

/** Keeps a socket reader on the host until the returned function is called. */
export function useSockets(host: Host): () => Promise<void> {
  const entry = readers.get(host) ?? { reader: new SocketReader(host, firstPort, lastPort), users: 0 };
  entry.users++;
  readers.set(host, entry);
  return async () => {
    if (--entry.users > 0) return;
    readers.delete(host);
    await entry.reader.stop();
  };
}

/** Reads the sockets of a host for which `useSockets` was called. */
export function readSockets(host: Host): Promise<SocketReading> {
  const same = coming.get(host);
  if (same !== undefined) return same;
  const reading = setImmediate().then(async () => {
    coming.delete(host);
    const entry = readers.get(host)!;
    if (!entry.reader.alive) entry.reader = new SocketReader(host, firstPort, lastPort);
    const sockets = await entry.reader.read();
    return { timeMs: nowMs(), sockets };
  });
  coming.set(host, reading);
  return reading;
}
