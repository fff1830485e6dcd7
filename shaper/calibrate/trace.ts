/**
 * Probe of the trace that a link follows: full packets at nearly the mean rate of the trace, so that they find the link
 * free, busy and suspended. Each departure is compared with the one that the trace gives for the packet's arrival.
 */
import { quantile } from '../../core/stats/quantile.ts';
import type { Arrival } from './arrivals.ts';
import type { PreflightLink, PreflightTrace } from './link.ts';
import { countedBytes, fullPayloadBytes } from './packets.ts';
import { planTotals, type SendPlan } from './probe.ts';
import { type Reading, reading } from './readings.ts';

/** Offered load, relative to the mean rate of the trace, and the largest load, bit/s. */
const loadRatio = 0.95;
const mostBps = 48e6;
/** With the largest load, 25 000 packets: even a link that is suspended all the time holds them. */
const seconds = 6;
/** Largest median and 99th percentile of the error of departures, ms. A delay may have the same errors (delay.ts). */
const tolerance = { p50Ms: 0.2, p99Ms: 1 } as const;
/** Length of the stretches whose rates are compared, ms, and the largest error of a stretch beside one packet. */
const stretchMs = 100;
const stretchError = 0.01;
/** Largest share of stretches beyond that error. */
const mostBeside = 0.05;
/** Shortest time without a departure that counts as a pause, ms, and the largest error of its end, ms. */
const pauseMs = 20;
const pauseErrorMs = 2;
/** Standard deviations of a share of losses that are accepted (99.7 %). */
const lossDeviations = 3;

export type TracePlan = SendPlan & { rateBps: number; drainMs: number };
export type TraceObservation = { sent: number; startMs: number; zeroMs: number; arrivals: readonly Arrival[] };

/** Returns the plan of the probe. `drainMs`: time that the link needs for its backlog after the last packet. */
export function tracePlan(link: PreflightLink, trace: PreflightTrace): TracePlan {
  const rateBps = Math.min(loadRatio * trace.meanBps, mostBps);
  const bytes = countedBytes(link, fullPayloadBytes);
  const plan = {
    payloadBytes: fullPayloadBytes,
    rateBps,
    seconds,
    prefillPackets: 0,
    overheadBytes: link.overheadBytes,
  };
  const { packets } = planTotals(plan);
  const everyMs = (bytes * 8e3) / rateBps;
  const all = Array.from({ length: packets }, (_, k) => ({ atMs: k * everyMs, bytes }));
  return { ...plan, drainMs: Math.max(0, trace.departuresMs(all).at(-1)! - seconds * 1e3) };
}

/** Returns the readings of the probe. */
export function traceReadings(
  link: PreflightLink,
  trace: PreflightTrace,
  plan: TracePlan,
  { sent, startMs, zeroMs, arrivals }: TraceObservation,
): Reading[] {
  const bytes = countedBytes(link, fullPayloadBytes);
  const everyMs = (bytes * 8e3) / plan.rateBps;
  // lost packets took their time on the link as well: they were sent at about their planned times
  const sentMs = Array.from({ length: sent }, (_, k) => startMs + k * everyMs);
  for (const { sequence, sentMs: at } of arrivals) sentMs[sequence] = at;
  const expected = trace.departuresMs(sentMs.map(ms => ({ atMs: ms - zeroMs, bytes })));
  const inOrder = arrivals.toSorted((a, b) => a.sequence - b.sequence);
  const pairs = inOrder.map(({ sequence, receivedMs }) => ({
    expectedMs: expected[sequence]!,
    receivedMs: receivedMs - zeroMs,
  }));
  const errors = pairs.map(({ expectedMs, receivedMs }) => Math.abs(receivedMs - expectedMs));
  const asked = { step: 'trace', asked: 0, low: 0 } as const;
  const ofSent = `${arrivals.length} probes`;
  const ends = pairs.filter(({ expectedMs }, k) => k > 0 && expectedMs - pairs[k - 1]!.expectedMs >= pauseMs);
  const endErrors = ends.map(({ expectedMs, receivedMs }) => Math.abs(receivedMs - expectedMs));
  return [
    reading(
      { ...asked, id: 'trace-p50', title: 'median error of departures', unit: 'ms', high: tolerance.p50Ms },
      quantile(errors, 0.5) ?? null,
      ofSent,
    ),
    reading(
      { ...asked, id: 'trace-p99', title: 'p99 of the error of departures', unit: 'ms', high: tolerance.p99Ms },
      quantile(errors, 0.99) ?? null,
      ofSent,
    ),
    reading(
      {
        ...asked,
        id: 'trace-rate',
        title: `stretches of ${stretchMs} ms whose rate is not that of the trace`,
        unit: 'ratio',
        high: mostBeside,
      },
      pairs.length === 0 ? null : besideRatio(pairs),
    ),
    ...(ends.length === 0
      ? []
      : [
          reading(
            {
              ...asked,
              id: 'trace-pause',
              title: 'largest error of the end of a pause',
              unit: 'ms',
              high: pauseErrorMs,
            },
            Math.max(...endErrors),
            `${ends.length} pauses`,
          ),
        ]),
    lossReading(trace, expected, arrivals.length),
  ];
}

/** Share of the stretches in which not the expected number of packets left. */
function besideRatio(pairs: readonly { expectedMs: number; receivedMs: number }[]): number {
  const count = (times: number[]) => {
    const counts = new Map<number, number>();
    for (const ms of times) counts.set(Math.floor(ms / stretchMs), (counts.get(Math.floor(ms / stretchMs)) ?? 0) + 1);
    return counts;
  };
  const expected = count(pairs.map(({ expectedMs }) => expectedMs));
  const received = count(pairs.map(({ receivedMs }) => receivedMs));
  const stretches = new Set([...expected.keys(), ...received.keys()]);
  const beside = [...stretches].filter(k => {
    const wanted = expected.get(k) ?? 0;
    return Math.abs((received.get(k) ?? 0) - wanted) > 1 + stretchError * wanted;
  });
  return beside.length / stretches.size;
}

function lossReading(trace: PreflightTrace, leftMs: readonly number[], arrived: number): Reading {
  const losses = leftMs.map(trace.lossAt);
  const ratio = losses.reduce((sum, { lossRatio }) => sum + lossRatio, 0) / leftMs.length;
  // losses in bursts of b packets vary as those of a b-th of the packets would, and more by their random lengths
  const variance = losses.reduce((sum, { lossRatio: p, burstPackets: b }) => sum + p * (1 - p) * (2 * b - 1), 0);
  const slack = (lossDeviations * Math.sqrt(variance)) / leftMs.length;
  const [low, high] = [Math.max(0, ratio - slack), ratio + slack];
  return reading(
    { id: 'trace-loss', step: 'trace', title: 'losses by the trace', unit: 'ratio', asked: ratio, low, high },
    leftMs.length === 0 ? null : 1 - arrived / leftMs.length,
  );
}
