/**
 * Normalised round-trip times: the delay of the path itself is measured, and the added delay of the return path makes
 * up the rest, so that flows over different paths start from the same base.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { parsePingLine, unreadAnswer } from '../../core/system/ping.ts';
import { type Link, mapPaths } from '../../core/vocabulary/link.ts';
import type { Topology } from '../topology/topology.ts';

const probes = 20;
/** How long after the last probe an answer is waited for, beside the round trip that it takes, s. */
const graceS = 5;

/** Median idle round-trip time, ms. */
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

/** True where a path is to be brought to a base round-trip time. */
export function isNormalised({ paths }: Pick<Link, 'paths'>): boolean {
  return Object.values(paths).some(path => path.rttMs !== null);
}

/** Delay of each return path by the name of its host on the left, ms. */
export type UpDelays = Readonly<Record<string, number>>;

/** What it would be if a path had no delay itself. */
export function plainUpMs({ paths }: Pick<Link, 'paths'>): UpDelays {
  return mapPaths(paths, ({ rttMs, downMs, upMs }) => (rttMs === null ? upMs : rttMs - downMs));
}

/**
 * What it has to be, measured on a link that has the plain ones, is idle and loses nothing. Each measurement takes half
 * a second and the base round-trip time: paths that are alike have the same delay, so one of them is measured
 * for all.
 */
export async function settledUpMs(
  link: Pick<Link, 'paths'>,
  { left, right }: Pick<Topology, 'left' | 'right'>,
): Promise<UpDelays> {
  const upMs: Record<string, number> = { ...plainUpMs(link) };
  const measured = new Map<string, number>();
  for (const { host } of left) {
    const path = link.paths[host.name];
    if (path === undefined || path.rttMs === null) continue;
    const kind = JSON.stringify(path);
    const ownMs = measured.get(kind) ?? (await idleRttMs(host, right[0]!.address, path.rttMs));
    measured.set(kind, ownMs);
    upMs[host.name] = Math.max(0, upMs[host.name]! + path.rttMs - ownMs);
  }
  return upMs;
}

export function withUpMs(paths: Link['paths'], upMs: UpDelays): Link['paths'] {
  return mapPaths(paths, (path, name) => ({ ...path, upMs: upMs[name] ?? path.upMs }));
}
