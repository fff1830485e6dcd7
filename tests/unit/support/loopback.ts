/**
 * Where the servers of a test listen that cannot listen on port 0: at an address of the loopback device that no other
 * process uses, at ports that the kernel finds free there. Several runs of the tests do not meet on a machine.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** 127.0.0.0/8 is the loopback device; a process id has at most 22 bits (PID_MAX_LIMIT of Linux). */
export const ownAddress = `127.${(process.pid >> 16) & 255}.${(process.pid >> 8) & 255}.${process.pid & 255}`;

/** The first of so many ports in a row that are free at that address, and that this function has not given before. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await listenOnce(0);
    const ports = Array.from({ length: count }, (_, k) => first + k);
    if (ports.some(port => port > 65_535 || given.has(port))) continue;
    const free = await Promise.all(ports.map(port => listenOnce(port).catch(() => undefined)));
    if (free.includes(undefined)) continue;
    for (const port of ports) given.add(port);
    return first;
  }
}
const given = new Set<number>();

/** Listens and stops listening; the port that it was. */
async function listenOnce(port: number): Promise<number> {
  const server = createServer();
  server.listen({ port, host: ownAddress, exclusive: true });
  await once(server, 'listening');
  const { port: found } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return found;
}
