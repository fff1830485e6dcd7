/**
 * Ports of iperf3's receivers: each is of one application only, on both of its hosts, so that a port says whose a
 * socket is.
 */
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';

/** From iperf3's own port on, below those of our web servers. */
export const firstPort = 5201;
export const lastPort = 7999;

export type TakenPorts = { ports: readonly number[]; release(): void };

const takenOn = new WeakMap<Host, Set<number>>();

/**
 * The lowest ports that are free on both hosts, until they are released. Throws `port-taken` where there are not so
 * many.
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
