/**
 * Round-trip times that are normalised: what the way has of itself is measured, and the added delay of the way back
 * makes up the rest, so that flows over different paths start from the same base.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import type { Link, Way } from '../../core/link.ts';
import type { Dumbbell } from '../topology/dumbbell.ts';

const probes = 20;

/** Median idle round-trip time, ms. */
async function idleRttMs(from: Host, address: string, expectedMs: number): Promise<number> {
  const { stdout } = await from.run(['ping', '-n', '-i', '0.02', '-c', String(probes), '-W', '5', address], { allowFailure: true, timeoutMs: 15_000 + 2 * expectedMs });
  const times = [...stdout.matchAll(/time=([\d.]+) ms/g)].map(match => Number(match[1])).sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)];
  if (middle === undefined) throw new CoexistError('link-refused', 'the base round-trip time could not be measured: no probe came back');
  return middle;
}

/** True where a way is to be brought to a base round-trip time. */
export function isNormalised({ ways }: Pick<Link, 'ways'>): boolean {
  return Object.values(ways).some(way => way.rttMs !== null);
}

/** Delay of each way back, ms. */
export type UpDelays = Record<string, number>;

/** What it would be if a way had no delay of itself. */
export function plainUpMs({ ways }: Pick<Link, 'ways'>): UpDelays {
  const up = ({ rttMs, downMs, upMs }: Way) => (rttMs === null ? upMs : rttMs - downMs);
  return Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, up(way)]));
}

/** What it has to be, measured on a link that has the plain ones, is idle and loses nothing. */
export async function settledUpMs(link: Pick<Link, 'ways'>, { left, right }: Pick<Dumbbell, 'left' | 'right'>): Promise<UpDelays> {
  const upMs = plainUpMs(link);
  const measured = await Promise.all(left.map(async ({ host }, k) => {
    const rttMs = link.ways[host.name]?.rttMs ?? null;
    return rttMs === null ? null : { name: host.name, upMs: Math.max(0, upMs[host.name]! + rttMs - await idleRttMs(host, right[k % right.length]!.address, rttMs)) };
  }));
  return { ...upMs, ...Object.fromEntries(measured.flatMap(one => (one === null ? [] : [[one.name, one.upMs]]))) };
}

export function withUpMs(ways: Link['ways'], upMs: UpDelays): Link['ways'] {
  return Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, { ...way, upMs: upMs[name]! }]));
}
