/** Measurements between two machines of a lab: round-trip times over the test network, and clock offsets. */

import { ascending, quantileOfSorted } from '../../../core/stats/quantile.ts';
import type { Capability } from '../../../core/system/capability.ts';
import {
  type ClockSample,
  driftOf,
  estimateClock,
  offsetAt,
  roundTripUs,
} from '../../../core/system/clock-estimate.ts';
import { isInSameNetwork, type TestDevice } from '../../topology/ssh/test-device.ts';

/** Samples of two bursts of probes, and the total number of probes that were sent. */
type Bursts = { first: ClockSample[]; second: ClockSample[]; sent: number };

export type Between = {
  from: string;
  to: string;
  /** Network over which the probes were sent. */
  over: 'test network' | 'ssh';
  sent: number;
  answered: number;
  /** Round-trip times, us; null if no probe was answered. */
  roundTripUs: { base: number; median: number; p99: number } | null;
  /** Clock of `to` minus clock of `from`, estimated at the second burst. */
  clock: {
    offsetUs: number;
    uncertaintyUs: number;
    /**
     * Rate of the clock of `to` minus the rate of the clock of `from`, parts per million; null if one of the bursts was
     * not answered.
     */
    drift: { driftPpm: number; uncertaintyPpm: number } | null;
  } | null;
};

export function judgeBetween(from: string, to: string, over: Between['over'], bursts: Bursts): Between {
  const { first, second, sent } = bursts;
  const samples = [...first, ...second];
  const sorted = ascending(samples.map(roundTripUs));
  const estimate = first.length > 0 ? estimateClock(first, second) : estimateClock(second);
  const atUs = (estimate?.second ?? estimate?.first)?.atUs;
  return {
    from,
    to,
    over,
    sent,
    answered: samples.length,
    roundTripUs:
      sorted.length === 0
        ? null
        : { base: sorted[0]!, median: quantileOfSorted(sorted, 0.5)!, p99: quantileOfSorted(sorted, 0.99)! },
    clock:
      estimate === undefined || atUs === undefined ? null : { ...offsetAt(estimate, atUs), drift: driftOf(estimate) },
  };
}

/** Returns a time in the form "45 us", "1.2 ms" or "3.4 s". */
function formatUs(us: number): string {
  const size = Math.abs(us);
  if (size < 1000) return `${Math.round(us)} us`;
  return size < 1e6 ? `${(us / 1000).toFixed(2)} ms` : `${(us / 1e6).toFixed(3)} s`;
}

/**
 * Returns the measurement as a capability that the doctor prints. `required`: trials are impossible if no probe is
 * answered.
 */
export function describeBetween(between: Between, required: boolean): Capability {
  const { from, to, over, sent, answered, roundTripUs: trip, clock } = between;
  const need = {
    id: `between-${from}-${to}`.replaceAll(' ', '-'),
    title: `${from} - ${to}`,
    required,
    cost: required ? 'no trial between them' : 'their clocks cannot be compared over the test network',
    mend: 'let UDP through between their addresses on the test network: routes, firewalls, cables',
  };
  if (trip === null || clock === null) return { ...need, works: false, found: `none of ${sent} probes came back` };
  const { offsetUs, uncertaintyUs, drift } = clock;
  const side = offsetUs < 0 ? 'behind' : 'ahead';
  return {
    ...need,
    works: true,
    found: [
      `round trip ${over === 'ssh' ? 'through ssh ' : ''}${formatUs(trip.base)} (median ${formatUs(trip.median)}, ` +
        `99 % within ${formatUs(trip.p99)})`,
      ...(answered < sent ? [`${sent - answered} of ${sent} probes lost`] : []),
      `clock of ${to} ${formatUs(Math.abs(offsetUs))} ${side} +- ${formatUs(uncertaintyUs)}`,
      drift === null ? 'drift unknown' : `drift ${drift.driftPpm.toFixed(1)} +- ${drift.uncertaintyPpm.toFixed(1)} ppm`,
    ].join(', '),
  };
}

/**
 * Returns the devices by which two machines reach each other: two devices in a common network if there are any, else
 * the first device of each machine; undefined if a machine has no device.
 */
export function devicesBetween(
  from: readonly TestDevice[],
  to: readonly TestDevice[],
): { from: TestDevice; to: TestDevice } | undefined {
  for (const a of from) for (const b of to) if (isInSameNetwork(a, b)) return { from: a, to: b };
  const [first, second] = [from[0], to[0]];
  return first === undefined || second === undefined ? undefined : { from: first, to: second };
}
