/**
 * Reserves ports for iperf3's receivers. A port belongs to one application only, on both of its hosts, so that the port
 * of a socket identifies the application.
 */
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';

/** First port to reserve, which is iperf3's default. The last one is below the ports of our web servers. */
export const firstPort = 5201;
export const lastPort = 7999;

export type TakenPorts = { ports: readonly number[]; release(): void };

const takenOn = new WeakMap<Host, Set<number>>();

/**
 * Reserves the lowest ports that are free on both hosts, until they are released. Throws `port-taken` if fewer than
 * `count` are free.
 */
export function takePorts(server: Host, client: Host, count: number): TakenPorts {
  const taken = [server, client].map(host => {
    const ports = takenOn.get(host) ?? new Set<number>();
    takenOn.set(host, ports);
    return ports;
  });
  const ports: number[] = [];
  for (let port = firstPort; port <= lastPort && ports.length < count; port++)
    if (taken.every(set => !set.has(port))) ports.push(port);
  if (ports.length < count) {
    throw new CoexistError(
      'port-taken',
      `iperf needs ${count} more ports of ${firstPort} to ${lastPort}, and ${ports.length} are free`,
      { hint: 'run fewer iperf applications on one pair of hosts' },
    );
  }
  for (const set of taken) for (const port of ports) set.add(port);
  return {
    ports,
    release: () => {
      for (const set of taken) for (const port of ports) set.delete(port);
    },
  };
}
