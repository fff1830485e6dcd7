/**
 * Counts packets that a host's kernel dropped because a socket had no room for them. Neither the queue log nor counters
 * of devices show them, and an application takes them for losses of the network. Sources: /proc/net/snmp and
 * /proc/net/netstat (proc(5)).
 */
import type { Host } from '../../core/system/host.ts';
import type { Finding } from '../record/trial-file.ts';

type Watched = Pick<Host, 'name' | 'run'>;

/** Counters by their kernel names, and the meaning of each. */
const counters = [
  [
    'Udp:RcvbufErrors',
    'UDP packets because the receive buffer of a socket was full (net.core.rmem_max, or a busy program)',
  ],
  ['Udp:SndbufErrors', 'UDP packets because the send buffer of a socket was full (net.core.wmem_max)'],
  ['Udp:MemErrors', 'UDP packets because all UDP buffers together were full (net.ipv4.udp_mem)'],
  ['TcpExt:TCPRcvQDrop', 'TCP packets because the receive buffer of a socket was full (net.ipv4.tcp_rmem)'],
  ['TcpExt:TCPBacklogDrop', 'TCP packets because a socket was in use and its backlog was full'],
  ['TcpExt:TCPMemoryPressures', undefined],
] as const;

type Counts = ReadonlyMap<string, number>;

/**
 * Parses pairs of lines, the first with names and the second with values: "Udp: InDatagrams NoPorts ..." and "Udp: 12 0
 * ...".
 */
function countsIn(text: string): Counts {
  const counts = new Map<string, number>();
  const lines = text.split('\n').map(line => line.trim().split(/\s+/));
  for (const [k, [group = '', ...names]] of lines.entries()) {
    const values = lines[k + 1];
    if (values?.[0] !== group || !Number.isNaN(Number(names[0] ?? 0))) continue;
    for (const [column, name] of names.entries()) counts.set(`${group}${name}`, Number(values[column + 1]));
  }
  return counts;
}

async function read(host: Watched): Promise<Counts> {
  return countsIn((await host.run(['cat', '/proc/net/snmp', '/proc/net/netstat'])).stdout);
}

export class SocketDrops {
  readonly #hosts: readonly Watched[];
  #before: readonly Counts[] = [];

  constructor(hosts: readonly Watched[]) {
    this.#hosts = [...new Set(hosts)];
  }

  async begin(): Promise<void> {
    this.#before = await Promise.all(this.#hosts.map(read));
  }

  /** Returns findings about drops since `begin`; none if `begin` was not called. */
  async findings(): Promise<Finding[]> {
    // other code reports a host that cannot be read; here its drops count as none
    const after = await Promise.all(this.#before.map((before, k) => read(this.#hosts[k]!).catch(() => before)));
    return after.flatMap((now, k) =>
      counters.flatMap(([name, what]): Finding[] => {
        const count = (now.get(name) ?? 0) - (this.#before[k]!.get(name) ?? 0);
        if (count <= 0) return [];
        const message =
          what === undefined
            ? `${this.#hosts[k]!.name}: all TCP buffers together came to their limit (net.ipv4.tcp_mem)`
            : `${this.#hosts[k]!.name} dropped ${count} ${what}`;
        return [{ kind: 'host', status: 'note', message }];
      }),
    );
  }
}
