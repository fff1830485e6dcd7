/**
 * Round-trip times that are normalised: what the way has of itself is measured, and the added delay of the way back
 * makes up the rest, so that flows over different paths start from the same base.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import { mapWays } from '../../core/link.ts';
import type { Link } from '../../core/link.ts';
import type { Topology } from '../topology/dumbbell.ts';

const probes = 20;

/** Median idle round-trip time, ms. */
async function idleRttMs(from: Host, address: string, expectedMs: number): Promise<number> {
  const { stdout } = await from.run(['ping', '-n', '-i', '0.02', '-c', String(probes), '-W', '5', address], {
    allowFailure: true,
    timeoutMs: 15_000 + 2 * expectedMs,
  });
  const times = [...stdout.matchAll(/time=([\d.]+) ms/g)].map(match => Number(match[1])).sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)];
  if (middle === undefined)
    throw new CoexistError('link-refused', 'the base round-trip time could not be measured: no probe came back');
  return middle;
}

/** True where a way is to be brought to a base round-trip time. */
export function isNormalised({ ways }: Pick<Link, 'ways'>): boolean {
  return Object.values(ways).some(way => way.rttMs !== null);
}

/** Delay of each way back by the name of its host on the left, ms. */
export type UpDelays = Readonly<Record<string, number>>;

/** What it would be if a way had no delay of itself. */
export function plainUpMs({ ways }: Pick<Link, 'ways'>): UpDelays {
  return mapWays(ways, ({ rttMs, downMs, upMs }) => (rttMs === null ? upMs : rttMs - downMs));
}

/**
 * What it has to be, measured on a link that has the plain ones, is idle and loses nothing. Each measurement takes half
 * a second and the base round-trip time: ways that are alike have the same of themselves, so one of them is measured
 * for all.
 */
export async function settledUpMs(
  link: Pick<Link, 'ways'>,
  { left, right }: Pick<Topology, 'left' | 'right'>,
): Promise<UpDelays> {
  const upMs: Record<string, number> = { ...plainUpMs(link) };
  const measured = new Map<string, number>();
  for (const { host } of left) {
    const way = link.ways[host.name];
    if (way === undefined || way.rttMs === null) continue;
    const kind = JSON.stringify(way);
    const ownMs = measured.get(kind) ?? (await idleRttMs(host, right[0]!.address, way.rttMs));
    measured.set(kind, ownMs);
    upMs[host.name] = Math.max(0, upMs[host.name]! + way.rttMs - ownMs);
  }
  return upMs;
}

export function withUpMs(ways: Link['ways'], upMs: UpDelays): Link['ways'] {
  return mapWays(ways, (way, name) => ({ ...way, upMs: upMs[name] ?? way.upMs }));
}
