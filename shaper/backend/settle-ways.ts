/**
 * Round-trip times that are normalised: what the way has of itself is measured, and the added delay of the way back
 * makes up the rest, so that flows over different paths start from the same base.
 */
import { CoexistError } from '../../harness/base/errors.ts';
import type { Host } from '../../harness/base/host.ts';
import type { Link, Way } from '../../harness/base/link.ts';
import type { Dumbbell } from '../topology/dumbbell.ts';
import type { LinkBackend } from './backend.ts';

const probes = 20;

/** Idle round-trip time, ms: the median, or the shortest where jitter comes on top of the base. Lost probes do not count. */
async function idleRttMs(from: Host, address: string, { rttMs, jitterMs }: Way): Promise<number> {
  const { stdout } = await from.run(['ping', '-n', '-i', '0.02', '-c', String(probes), '-W', '5', address], { allowFailure: true, timeoutMs: 15_000 + 2 * rttMs! });
  const times = [...stdout.matchAll(/time=([\d.]+) ms/g)].map(match => Number(match[1])).sort((a, b) => a - b);
  const base = times[jitterMs > 0 ? 0 : Math.floor(times.length / 2)];
  if (base === undefined) throw new CoexistError('link-refused', 'the base round-trip time could not be measured: no probe came back');
  return base;
}

/** Sets the ways of a link; where a base round-trip time is asked for, measures and corrects the delay of the way back. */
export async function settleWays(backend: Pick<LinkBackend, 'setWays'>, { ways }: Link, { hosts, addresses }: Dumbbell): Promise<void> {
  const first = mapWays(ways, way => (way.rttMs === null ? way : { ...way, upMs: way.rttMs - way.downMs }));
  await backend.setWays(first);
  if (Object.values(ways).every(way => way.rttMs === null)) return;
  const excess: Record<keyof Link['ways'], number> = { server: 0, flooder: 0 };
  for (const sender of ['server', 'flooder'] as const) {
    const { rttMs } = ways[sender];
    if (rttMs !== null) excess[sender] = await idleRttMs(hosts[sender], addresses.client, ways[sender]) - rttMs;
  }
  await backend.setWays(mapWays(first, (way, sender) => ({ ...way, upMs: Math.max(0, way.upMs - excess[sender]) })));
}

function mapWays(ways: Link['ways'], change: (way: Way, sender: keyof Link['ways']) => Way): Link['ways'] {
  return { server: change(ways.server, 'server'), flooder: change(ways.flooder, 'flooder') };
}
