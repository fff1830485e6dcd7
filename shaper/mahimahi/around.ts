/**
 * Shells of mahimahi that somebody has started around this command, one inside the other. A shell has two processes that
 * matter: the one that was started, in the outer namespace, and its child in the inner one. The child holds both TUN
 * devices open, and the kernel tells their names (drivers/net/tun.c, tun_chr_show_fdinfo).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Name of the TUN device in the inner namespace of every shell (packetshell.cc). */
const ingress = 'ingress';

/** A namespace on the way through the shells, from the inside to the outside. */
export type Station = {
  /** A process in the namespace. */
  pid: number;
  /** A process in the namespace that lives as long as the shells. */
  keeper: number;
  /** TUN device towards the outside; null in the outermost namespace. */
  outwards: string | null;
  /** TUN device towards the inside; null in the namespace of this command. */
  inwards: string | null;
};

/**
 * Returns the namespaces on the way out of the shells around the process `pid`, that of the process first; only one if
 * no shell is around it. Processes of other users can be seen by root only.
 */
export function stationsAround(pid = process.pid): Station[] {
  const seen = new Map<number, string>();
  for (const name of readdirSync('/proc')) {
    const namespace = /^\d+$/.test(name) ? namespaceOf(Number(name)) : undefined;
    if (namespace !== undefined) seen.set(Number(name), namespace);
  }
  const stations: Station[] = [{ pid, keeper: pid, outwards: null, inwards: null }];
  for (;;) {
    const at = stations.at(-1)!;
    const shell = shellInto(namespaceOf(at.pid), seen);
    if (shell === undefined) return stations;
    at.outwards = ingress;
    at.keeper = shell.child;
    stations.push({ pid: shell.starter, keeper: shell.starter, outwards: null, inwards: shell.tun });
  }
}

/** Returns the shell whose inner namespace is `namespace`: its two processes, and its TUN device outside. */
function shellInto(
  namespace: string | undefined,
  seen: ReadonlyMap<number, string>,
): { starter: number; child: number; tun: string } | undefined {
  for (const [pid, own] of seen) {
    if (own !== namespace) continue;
    const open = tunsOf(pid);
    const tun = open.includes(ingress) ? open.find(name => name !== ingress) : undefined;
    const starter = tun === undefined ? undefined : parentOf(pid);
    const outer = starter === undefined ? undefined : seen.get(starter);
    if (tun !== undefined && outer !== undefined && outer !== namespace) return { starter: starter!, child: pid, tun };
  }
  return undefined;
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined; // it has ended, or is another user's
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    return Number(parent);
  } catch {
    return undefined;
  }
}

/** Returns the names of the TUN devices that a process holds open. */
function tunsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fdinfo`;
  try {
    return readdirSync(folder).flatMap(
      name => /^iff:\s*(\S+)$/m.exec(readFileSync(`${folder}/${name}`, 'utf8'))?.[1] ?? [],
    );
  } catch {
    return [];
  }
}
