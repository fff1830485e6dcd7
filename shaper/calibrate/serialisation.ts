/**
 * Checks that the link serialises: a packet must arrive when its last bit would have left at the link's rate, however
 * idle the link was.
 *
 * The delay of a single packet consists of the path's delay, the processing time of the hosts, and the packet's own
 * serialisation time. The processing time cannot be measured separately. If it were taken from the smallest packet,
 * that packet would be right by definition and its error would appear in the others; a mean over the sizes would spread
 * the error of one size over all. So it is the median, over the sizes, of the delay minus the serialisation time. One
 * of three sizes may be wrong and then shows its whole error. An error common to all sizes is not visible here; the
 * step `delay` bounds it. Copying makes a large packet later by about a microsecond, which stays in the reading.
 *
 * A stalled machine, or a program that is woken late, delays packets but never sends them early, and after a late
 * packet the gap to the next is short. So if medians and gaps are outside the tolerance, the fastest tenth and the
 * packets that came too early decide: if those are right, the rate is right and packets were late. This is reported for
 * the trials and does not change the verdict.
 *
 * A token bucket (tc) sends such packets at once, and a link with a clock of steps sends several at each tick: for them
 * the readings are reported but not judged.
 */
import { median, quantile } from '../../core/stats/quantile.ts';
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import type { Arrival } from './arrivals.ts';
import { oneWayMs } from './delay.ts';
import type { PreflightLink } from './link.ts';
import { slotMs } from './packets.ts';
import type { SerialisationPlan, TrainPlan } from './plan.ts';
import { late, type Reading, reading } from './readings.ts';
import { wholeTrains } from './trains.ts';

/**
 * Tolerances of the serialisation time of single packets and of gaps: a share of the serialisation time, and a least
 * value in ms for clocks and timers.
 */
const idleTolerance = { ratio: 0.05, ms: 0.03 } as const;
const gapTolerance = { ratio: 0.1, ms: 0.03 } as const;
/** Smallest share of gaps that are long enough and of packets that are not early, if the rate is right. */
const rightRatio = 0.99;
/** Share of the probes, the fastest ones, that are considered undisturbed by the machine. */
const fastest = 0.1;

export type SerialisationObservation = {
  /** Requested delay of the path, ms. */
  delayMs: number;
  /** Arrivals of the packets of each size (`idle`) and of the trains of each length, in the order of the plan. */
  idle: readonly (readonly Arrival[])[];
  trains: readonly (readonly Arrival[])[];
};

const notSerialising = ({ bucketBytes, stepMs }: PreflightLink) =>
  stepMs === undefined
    ? `a token bucket of ${bucketBytes} bytes (tc), not serialising`
    : `packets leave at the ticks of a clock of ${stepMs} ms, not serialising`;

export function serialisationReadings(
  link: PreflightLink,
  plan: SerialisationPlan,
  observed: SerialisationObservation,
): Reading[] {
  const readings = [...idleReadings(link, plan, observed), ...gapReadings(link, plan, observed)];
  if (link.bucketBytes === 0) return readings;
  return readings.map(({ note, ...rest }) => ({
    ...rest,
    verdict: 'skipped',
    note: `${note}; ${notSerialising(link)}`,
    certain: false,
  }));
}

/**
 * Returns `read` with verdict `late` if it was refused but `right` shows that packets were late and the rate is right.
 */
function excused(read: Reading, right: boolean, why: string): Reading {
  return read.verdict !== 'refused' || read.measured === null || !right ? read : late(read, why);
}

/** Returns, for each size, the delays of its packets beyond the requested delay of the path, ms. */
const delaysBySize = (link: PreflightLink, plan: SerialisationPlan, { delayMs, idle }: SerialisationObservation) =>
  plan.idle.map((one, i) => ({
    ...one,
    slot: slotMs(link, one.payloadBytes),
    delays: oneWayMs(idle[i] ?? []).map(ms => ms - delayMs),
  }));

/**
 * Returns the time that the hosts need to process a packet of any size, ms (header of this file); undefined without
 * arrivals. `p`: quantile of the delays that is used.
 */
function hostsMs(sizes: readonly { slot: number; delays: readonly number[] }[], p: number): number | undefined {
  return median(sizes.flatMap(({ slot, delays }) => (delays.length === 0 ? [] : [quantile(delays, p)! - slot])));
}

function idleReadings(link: PreflightLink, plan: SerialisationPlan, observed: SerialisationObservation): Reading[] {
  const sizes = delaysBySize(link, plan, observed);
  const [typical, least] = [hostsMs(sizes, 0.5), hostsMs(sizes, fastest)];
  return sizes.map(({ payloadBytes, packets, slot, delays }) => {
    const slack = Math.max(idleTolerance.ratio * slot, idleTolerance.ms);
    const question = {
      id: 'serialisation',
      step: 'serialisation',
      title: `time that a packet of ${payloadBytes + udpHeadersBytes} bytes takes on the idle link`,
      unit: 'ms',
      asked: slot,
      low: Math.max(0, slot - slack),
      high: slot + slack,
    } as const;
    if (delays.length === 0 || typical === undefined || least === undefined)
      return reading(question, null, `none of ${packets} packets arrived`);
    const read = reading(
      question,
      median(delays)! - typical,
      `median of ${delays.length} packets, p99 ${(quantile(delays, 0.99)! - typical).toFixed(3)} ms; ` +
        `the hosts need ${typical.toFixed(3)} ms more`,
    );
    const ofFastest = quantile(delays, fastest)! - least;
    return excused(
      read,
      Math.abs(ofFastest - slot) <= slack,
      `the fastest tenth took ${ofFastest.toFixed(3)} ms: packets were late`,
    );
  });
}

/** Returns the times from each packet of a train to the next one, ms. */
export function gapsMs(train: readonly Pick<Arrival, 'receivedMs'>[]): number[] {
  return train.slice(1).map(({ receivedMs }, i) => receivedMs - train[i]!.receivedMs);
}

function gapReadings(link: PreflightLink, plan: SerialisationPlan, observed: SerialisationObservation): Reading[] {
  const least = observed.delayMs + (hostsMs(delaysBySize(link, plan, observed), 0) ?? 0);
  return plan.trains.map((one, i) => gapReading(link, one, observed.trains[i] ?? [], least));
}

/**
 * Returns a reading of the gaps in trains. `leastMs`: shortest delay of path and hosts without the packet's
 * serialisation time.
 */
function gapReading(link: PreflightLink, plan: TrainPlan, arrivals: readonly Arrival[], leastMs: number): Reading {
  const slot = slotMs(link, plan.payloadBytes);
  const slack = Math.max(gapTolerance.ratio * slot, gapTolerance.ms);
  const whole = wholeTrains(link, plan, arrivals);
  const gaps = whole.flatMap(gapsMs);
  const early = whole.flatMap(train =>
    train.filter(({ receivedMs }, k) => receivedMs < train[0]!.sentMs + leastMs + (k + 1) * slot - slack),
  ).length;
  const read = reading(
    {
      id: 'train-gaps',
      step: 'serialisation',
      title: `gaps of at least ${((slot - slack) * 1e3).toFixed(0)} us in trains of ${plan.trainPackets}`,
      unit: 'ratio',
      asked: 1,
      low: rightRatio,
      high: 1,
    },
    gaps.length === 0 ? null : gaps.filter(gap => gap >= slot - slack).length / gaps.length,
    `${gaps.length} gaps, shortest ${gaps.length === 0 ? 'unknown' : `${(Math.min(...gaps) * 1e3).toFixed(0)} us`}; ` +
      `${whole.length} of ${plan.trains} trains were whole`,
  );
  // trains that were interrupted before the link do not show its gaps
  if (whole.length * 2 < plan.trains) return { ...read, verdict: 'repeat' };
  return excused(
    read,
    early <= (1 - rightRatio) * whole.length * plan.trainPackets,
    `${early} packets came before their time: packets were late`,
  );
}
