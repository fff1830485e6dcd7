/**
 * Whether the link serialises: a packet is delivered when its last bit would have left at the link's rate, however idle
 * the link was.
 *
 * A packet alone is late by the path's delay, by what the hosts need for any packet, and by its own time at the rate.
 * What the hosts need is not known apart. The delay of the smallest packet less its own time would make that packet
 * right by definition and put its error on the others; a mean over the sizes would spread the error of one over all. So
 * it is the median, over the sizes, of delay less own time: of three sizes one may be wrong and is seen with its whole
 * error, and what all sizes have alike is left out. That is not lost: the step `delay` bounds it. The bytes that the
 * hosts copy make a large packet later by about a microsecond, which stays in the reading.
 *
 * A machine that stands still, or a program that is woken late, makes packets late and never early, and after a late
 * packet the gap to the next is short. So where medians and gaps are beside what was asked for, the fastest tenth and
 * the packets that came before their time decide: if those are right, the rate is right and packets were late, which is
 * said of the trials and changes nothing.
 *
 * A token bucket (tc) lets such packets go at once: there the readings are told and not judged.
 */
import { median, quantile } from '../../core/stats/quantile.ts';
import type { Arrival } from './arrivals.ts';
import { oneWayMs } from './delay.ts';
import type { PreflightLink } from './link.ts';
import { ipUdpBytes, slotMs } from './plan.ts';
import type { SerialisationPlan, TrainPlan } from './plan.ts';
import { reading } from './readings.ts';
import type { Reading } from './readings.ts';
import { wholeTrains } from './trains.ts';

/** Of a packet's own time, and what clocks and timers may add where that is short, ms. */
const idleTolerance = { ratio: 0.05, ms: 0.03 } as const;
const gapTolerance = { ratio: 0.1, ms: 0.03 } as const;
/** Share of the gaps that must be long enough, and of the packets that must not come before their time. */
const rightRatio = 0.99;
/** The fastest probes are those that the machine did not disturb. */
const fastest = 0.1;

export type SerialisationObservation = {
  /** Of the path, as asked for, ms. */
  delayMs: number;
  /** What arrived of each size and each length of train, in the order of the plan. */
  idle: readonly (readonly Arrival[])[];
  trains: readonly (readonly Arrival[])[];
};

const notSerialising = ({ bucketBytes }: PreflightLink) =>
  `a token bucket of ${bucketBytes} bytes (tc), not serialising`;

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

/** Where a reading is beside what was asked for and `right` tells that packets were late, and not the rate wrong. */
function excused(read: Reading, right: boolean, why: string): Reading {
  return read.verdict !== 'refused' || read.measured === null || !right
    ? read
    : { ...read, verdict: 'late', note: `${read.note}; ${why}`, certain: true };
}

/** By size: how much later than the path's delay its packets came, ms. */
const delaysBySize = (link: PreflightLink, plan: SerialisationPlan, { delayMs, idle }: SerialisationObservation) =>
  plan.idle.map((one, i) => ({
    ...one,
    slot: slotMs(link, one.payloadBytes),
    delays: oneWayMs(idle[i] ?? []).map(ms => ms - delayMs),
  }));

/** What the hosts need for a packet of any size, ms: see above. `p`: the quantile of the delays that is looked at. */
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
      title: `time that a packet of ${payloadBytes + ipUdpBytes} bytes takes on the idle link`,
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

/** Time from each packet of a train to the next, ms. */
export function gapsMs(train: readonly Pick<Arrival, 'receivedMs'>[]): number[] {
  return train.slice(1).map(({ receivedMs }, i) => receivedMs - train[i]!.receivedMs);
}

function gapReadings(link: PreflightLink, plan: SerialisationPlan, observed: SerialisationObservation): Reading[] {
  const least = observed.delayMs + (hostsMs(delaysBySize(link, plan, observed), 0) ?? 0);
  return plan.trains.map((one, i) => gapReading(link, one, observed.trains[i] ?? [], least));
}

/** `leastMs`: what path and hosts need at least, without the packet's own time. */
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
  // trains that were torn before they reached the link say nothing of its gaps
  if (whole.length * 2 < plan.trains) return { ...read, verdict: 'repeat' };
  return excused(
    read,
    early <= (1 - rightRatio) * whole.length * plan.trainPackets,
    `${early} packets came before their time: packets were late`,
  );
}
