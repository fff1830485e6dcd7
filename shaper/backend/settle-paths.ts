/**
 * Settles normalised round-trip times: measures the delay that the network itself adds to each path, and sets the added
 * delay of the return path to the rest. Flows over different paths then have the same base round-trip time.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { parsePingLine, unreadAnswer } from '../../core/system/ping.ts';
import { type Link, mapPaths } from '../../core/vocabulary/link.ts';
import type { Topology } from '../topology/topology.ts';

const probes = 20;
/** Seconds to wait for an answer after the last probe, added to the round-trip time. */
const graceS = 5;

async function idleRttMs(from: Host, address: string, expectedMs: number): Promise<number> {
  const waitS = graceS + Math.ceil(expectedMs / 1000);
  const words = ['-n', '-D', '-i', '0.02', '-c', String(probes), '-W', String(waitS), address];
  const { stdout } = await from.run(['ping', ...words], {
    allowFailure: true,
    timeoutMs: 15_000 + 2 * expectedMs,
  });
  const times = stdout
    .split('\n')
    .flatMap(line => parsePingLine(line)?.rttMs ?? [])
    .sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)];
  if (middle === undefined) {
    const unread = unreadAnswer(stdout);
    const why = unread === undefined ? 'no probe came back' : `the answers of ping cannot be read: "${unread}"`;
    throw new CoexistError('link-refused', `the base round-trip time could not be measured: ${why}`);
  }
  return middle;
}

/** True if at least one path has a base round-trip time (`rttMs`) that must be reached. */
export function isNormalised({ paths }: Pick<Link, 'paths'>): boolean {
  return Object.values(paths).some(path => path.rttMs !== null);
}

/** Delay of each return path by the name of its host on the left, ms. */
export type UpDelays = Readonly<Record<string, number>>;

/** Returns the delays of the return paths as if the network itself added no delay. */
export function plainUpMs({ paths }: Pick<Link, 'paths'>): UpDelays {
  return mapPaths(paths, ({ rttMs, downMs, upMs }) => (rttMs === null ? upMs : rttMs - downMs));
}

/**
 * Measures and returns the delays of the return paths that give the requested round-trip times. The link must have the
 * delays of `plainUpMs`, carry no other packets and lose none. A measurement takes half a second plus the base
 * round-trip time. Equal paths over the same bottlenecks
 * have equal delays, so only one of them is measured.
 */
export async function settledUpMs(
  link: Pick<Link, 'paths'>,
  { left, right }: Pick<Topology, 'left' | 'right'>,
): Promise<UpDelays> {
  const upMs: Record<string, number> = { ...plainUpMs(link) };
  const measured = new Map<string, number>();
  for (const { host, facing = right[0]! } of left) {
    const path = link.paths[host.name];
    if (path === undefined || path.rttMs === null) continue;
    const { address } = facing;
    const kind = JSON.stringify([path, address]);
    const ownMs = measured.get(kind) ?? (await idleRttMs(host, address, path.rttMs));
    measured.set(kind, ownMs);
    upMs[host.name] = Math.max(0, upMs[host.name]! + path.rttMs - ownMs);
  }
  return upMs;
}

/** Returns the delays in whole ms, for a backend that has no others. */
export function inWholeMs(upMs: UpDelays): UpDelays {
  return Object.fromEntries(Object.entries(upMs).map(([name, ms]) => [name, Math.round(ms)]));
}

export function withUpMs(paths: Link['paths'], upMs: UpDelays): Link['paths'] {
  return mapPaths(paths, (path, name) => ({ ...path, upMs: upMs[name] ?? path.upMs }));
}
