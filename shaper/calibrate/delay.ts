/** What idle probes tell: the delay of every path, in each direction and as a round trip. */
import { median, quantile } from '../../core/stats/quantile.ts';
import type { Arrival } from './arrivals.ts';
import type { PreflightLink, PreflightPath } from './link.ts';
import { slotMs } from './packets.ts';
import type { IdlePlan } from './plan.ts';
import { type Reading, reading } from './readings.ts';

/** What the bare path may add: half the probes, and all but one in a hundred, ms. */
const tolerance = { p50Ms: 0.2, p99Ms: 1 } as const;
/** Clocks of sender and kernel are read at different moments: a delay may come out that much too short, ms. */
const clockMs = 0.02;

export type PathArrivals = { path: PreflightPath; sent: number; arrivals: readonly Arrival[] };

const pathName = ({ from, to }: Pick<PreflightPath, 'from' | 'to'>) => `${from} to ${to}`;

/** One-way delay of every arrival, ms. */
export function oneWayMs(arrivals: readonly Pick<Arrival, 'sentMs' | 'receivedMs'>[]): number[] {
  return arrivals.map(({ sentMs, receivedMs }) => receivedMs - sentMs);
}

/**
 * What a probe needs at most on its path's bottleneck, ms: a token bucket lets a small packet through at once, a link
 * of constant rate takes its time for it.
 */
function sendingTimeMs(
  link: PreflightLink,
  { payloadBytes }: IdlePlan,
  { shaped, otherRateBps }: PreflightPath,
): number {
  if (shaped) return slotMs(link, payloadBytes);
  return otherRateBps === undefined ? 0 : slotMs({ ...link, rateBps: otherRateBps }, payloadBytes);
}

export function delayReadings(link: PreflightLink, plan: IdlePlan, observed: readonly PathArrivals[]): Reading[] {
  return [...observed.flatMap(one => pathReadings(link, plan, one)), ...roundTrips(link, plan, observed)];
}

function pathReadings(link: PreflightLink, plan: IdlePlan, { path, sent, arrivals }: PathArrivals): Reading[] {
  const delays = oneWayMs(arrivals);
  const name = pathName(path);
  const sendingMs = sendingTimeMs(link, plan, path);
  const asked = { step: 'delay', unit: 'ms', asked: path.delayMs, low: path.delayMs - clockMs } as const;
  const ofSent = `${arrivals.length} probes`;
  return [
    reading(
      {
        ...asked,
        id: 'delay-p50',
        title: `median one-way delay, ${name}`,
        high: path.delayMs + sendingMs + tolerance.p50Ms,
      },
      median(delays) ?? null,
      ofSent,
    ),
    reading(
      {
        ...asked,
        id: 'delay-p99',
        title: `p99 of one-way delay, ${name}`,
        high: path.delayMs + sendingMs + tolerance.p99Ms,
      },
      quantile(delays, 0.99) ?? null,
      ofSent,
    ),
    reading(
      {
        id: 'idle-arrivals',
        step: 'delay',
        title: `idle probes that arrive, ${name}`,
        unit: 'packets',
        asked: sent,
        low: sent,
        high: sent,
      },
      arrivals.length,
    ),
  ];
}

/** Base round trip of every pair of hosts that has a path in each direction: the sum of the two medians. */
function roundTrips(link: PreflightLink, plan: IdlePlan, observed: readonly PathArrivals[]): Reading[] {
  return observed.flatMap(there => {
    const back = observed.find(({ path }) => path.from === there.path.to && path.to === there.path.from);
    if (!there.path.shaped || back === undefined) return [];
    const [a, b] = [median(oneWayMs(there.arrivals)), median(oneWayMs(back.arrivals))];
    const asked = there.path.delayMs + back.path.delayMs;
    const high =
      asked + 2 * tolerance.p50Ms + sendingTimeMs(link, plan, there.path) + sendingTimeMs(link, plan, back.path);
    return [
      reading(
        {
          id: 'base-round-trip',
          step: 'delay',
          title: `base round trip, ${pathName(there.path)} and back`,
          unit: 'ms',
          asked,
          low: asked - 2 * clockMs,
          high,
        },
        a === undefined || b === undefined ? null : a + b,
      ),
    ];
  });
}
