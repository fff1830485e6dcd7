/** Readings from idle probes: the delay of every path, one-way and as a round trip. */
import { median, quantile } from '../../core/stats/quantile.ts';
import type { Arrival } from './arrivals.ts';
import type { PreflightLink, PreflightPath } from './link.ts';
import { fullPayloadBytes, slotMs } from './packets.ts';
import type { IdlePlan } from './plan.ts';
import { type Reading, reading } from './readings.ts';

/**
 * Largest median and largest 99th percentile, ms, of the delay that the path may have in addition to the requested
 * delay.
 */
const tolerance = { p50Ms: 0.2, p99Ms: 1 } as const;
/**
 * Largest error by which a delay may be measured too short, ms: sender and kernel read their clocks at different
 * moments.
 */
const clockMs = 0.02;

export type PathArrivals = { path: PreflightPath; sent: number; arrivals: readonly Arrival[] };

const pathName = ({ from, to }: Pick<PreflightPath, 'from' | 'to'>) => `${from} to ${to}`;

export function oneWayMs(arrivals: readonly Pick<Arrival, 'sentMs' | 'receivedMs'>[]): number[] {
  return arrivals.map(({ sentMs, receivedMs }) => receivedMs - sentMs);
}

/**
 * Returns the longest serialisation time of a probe at the bottleneck of its path, ms. A token bucket passes a small
 * packet at once; a link of constant rate does not. At a link with a clock of steps, a probe waits for the tick of the
 * next full packet.
 */
function sendingTimeMs(link: PreflightLink, plan: IdlePlan, { shaped, otherRateBps }: PreflightPath): number {
  const payloadBytes = link.stepMs === undefined ? plan.payloadBytes : fullPayloadBytes;
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
  const { stepMs = 0 } = link;
  const asked = { step: 'delay', unit: 'ms', asked: path.delayMs, low: path.delayMs - stepMs - clockMs } as const;
  const ofSent = `${arrivals.length} probes`;
  return [
    reading(
      {
        ...asked,
        id: 'delay-p50',
        title: `median one-way delay, ${name}`,
        high: path.delayMs + sendingMs + stepMs + tolerance.p50Ms,
      },
      median(delays) ?? null,
      ofSent,
    ),
    reading(
      {
        ...asked,
        id: 'delay-p99',
        title: `p99 of one-way delay, ${name}`,
        high: path.delayMs + sendingMs + stepMs + tolerance.p99Ms,
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

/**
 * Returns the base round-trip time of every pair of hosts with a path in each direction. It is the sum of the median
 * delays of both paths.
 */
function roundTrips(link: PreflightLink, plan: IdlePlan, observed: readonly PathArrivals[]): Reading[] {
  const { stepMs = 0 } = link;
  return observed.flatMap(there => {
    const back = observed.find(({ path }) => path.from === there.path.to && path.to === there.path.from);
    if (!there.path.shaped || back === undefined) return [];
    const [a, b] = [median(oneWayMs(there.arrivals)), median(oneWayMs(back.arrivals))];
    const asked = there.path.delayMs + back.path.delayMs;
    const high =
      asked +
      2 * (stepMs + tolerance.p50Ms) +
      sendingTimeMs(link, plan, there.path) +
      sendingTimeMs(link, plan, back.path);
    return [
      reading(
        {
          id: 'base-round-trip',
          step: 'delay',
          title: `base round trip, ${pathName(there.path)} and back`,
          unit: 'ms',
          asked,
          low: asked - 2 * (stepMs + clockMs),
          high,
        },
        a === undefined || b === undefined ? null : a + b,
      ),
    ];
  });
}
