/**
 * Readings from an overload: mean rate, size of the queue, and conservation of packets.
 *
 * A wrong link is wrong all the time, while a stalled machine disturbs only part of the measurement. So the rate is
 * also measured in slices. If the median of the slices is right and the mean is not, the machine is the cause. If the
 * mean is right and the median is not, the machine hides a link that is too fast: a token bucket loses tokens while the
 * machine stalls.
 */
import { median } from '../../core/stats/quantile.ts';
import type { Arrival } from './arrivals.ts';
import { disciplineReadings } from './discipline.ts';
import type { PreflightCounters, PreflightLink } from './link.ts';
import { countedBytes, limitInPackets, roomPackets, slotMs } from './packets.ts';
import { type OverloadPlan, overloadFactor } from './plan.ts';
import { late, type Reading, reading, skipped } from './readings.ts';
import { gapsMs } from './serialisation.ts';

/**
 * Tolerance of the mean rate as a share of the link's rate. A link outside `degraded` is degraded, and outside
 * `refused` it is refused.
 */
const rateTolerance = { degraded: 0.005, refused: 0.01 } as const;
const plateauTolerancePackets = 1;
/**
 * Smallest ratio of measured rate to link rate at which a link with late packets is not refused. The log of each trial
 * shows the effect on that trial.
 */
const leastLateRatio = 0.95;
/** Accuracy of the measured time from packet to packet, ms: 1.6 % of the time of a full packet at 100 Mbit/s. */
const gapKnownMs = 0.002;
/** Largest ratio of short-term rate to link rate while the link makes up for late packets. */
const mostMadeUpRatio = 1.02;
const slices = 20;
/** Time before the previous packet's departure by which a packet must have arrived to count as waiting, ms. */
const busyMarginMs = 0.2;

export type OverloadObservation = {
  sent: number;
  /** Due time of the first packet and time at which the last packet was sent, CLOCK_MONOTONIC, ms. */
  startMs: number;
  endMs: number;
  arrivals: readonly Arrival[];
  /** Packets that were lost because the receiver's socket was full. */
  kernelDropped: number;
  /** Median delay of the idle path without the packet's serialisation time, ms. */
  baseMs: number;
  /**
   * Number of waiting packets at each reading of the backend's counters, taken while the sender was active and the
   * queue should have been full.
   */
  backlogs: readonly number[];
  /** Counters of the link after the queue had drained. */
  counters: PreflightCounters;
};

export type OverloadRate = {
  meanBps: number;
  /** Median rate of `slices` slices with equal numbers of packets, bit/s. */
  medianBps: number;
  /** Median time from one packet to the next, ms. It is the serialisation time of a packet unless packets were late. */
  gapMs: number;
  /** Median wait of the packets that passed, as a number of packets at the measured rate. */
  queuePackets: number;
  /** Number of packets that found the queue empty or nearly empty, because the sender did not offer enough. */
  foundEmpty: number;
};

const isManaged = ({ discipline: { law } }: PreflightLink) => law?.kind !== 'tail';

/**
 * Returns the times from each packet to the next one, ms, if the next one already waited. These are serialisation times
 * of the link, even if a discipline drops packets or lets the queue run empty. `left`: packets in the order of
 * departure. `baseMs`: delay of the idle path.
 */
function busyGapsMs(left: readonly Arrival[], baseMs: number): number[] {
  return gapsMs(left).filter((_, i) => left[i + 1]!.sentMs + baseMs < left[i]!.receivedMs - busyMarginMs);
}

/**
 * Returns the rate of the packets that left while the queue should have been full, and the wait of the packets that
 * arrived during that time; undefined if there were too few packets.
 */
export function overloadRate(
  link: PreflightLink,
  plan: OverloadPlan,
  observed: Pick<OverloadObservation, 'startMs' | 'endMs' | 'arrivals' | 'baseMs'>,
): OverloadRate | undefined {
  const fullMs = observed.startMs + plan.settleMs;
  const left = observed.arrivals.filter(
    ({ receivedMs }) => receivedMs >= fullMs + observed.baseMs && receivedMs <= observed.endMs,
  );
  const queued = observed.arrivals.filter(({ sentMs }) => sentMs >= fullMs);
  if (left.length < 10 || queued.length < 10) return undefined;
  const bits = countedBytes(link, plan.payloadBytes) * 8e3;
  const slotsMs = isManaged(link) ? busyGapsMs(left, observed.baseMs) : gapsMs(left);
  if (slotsMs.length < 9) return undefined;
  const perSlice = Math.max(1, Math.floor(slotsMs.length / slices));
  const rateOf = (gaps: readonly number[]) => (gaps.length * bits) / gaps.reduce((sum, gap) => sum + gap, 0);
  const meanBps = rateOf(slotsMs);
  const sliceBps = Array.from({ length: Math.floor(slotsMs.length / perSlice) }, (_, i) =>
    rateOf(slotsMs.slice(i * perSlice, (i + 1) * perSlice)),
  );
  const medianBps = median(sliceBps)!;
  const waits = queued.map(({ sentMs, receivedMs }) => ((receivedMs - sentMs - observed.baseMs) * medianBps) / bits);
  const nearlyEmpty = Math.min(1, (plan.plateauPackets ?? Infinity) / 4);
  return {
    meanBps,
    medianBps,
    gapMs: median(slotsMs)!,
    queuePackets: median(waits)!,
    // a discipline may keep the queue arbitrarily short
    foundEmpty: isManaged(link) ? 0 : waits.filter(wait => wait < nearlyEmpty).length,
  };
}

/** Returns the readings of an overload. `plan`: null if the link cannot be overloaded. */
export function overloadReadings(
  link: PreflightLink,
  plan: OverloadPlan | null,
  observed: OverloadObservation | null,
): Reading[] {
  const rateQuestion = {
    id: 'rate',
    step: 'overload',
    title: `rate under an overload of ${overloadFactor}`,
    unit: 'bps',
    asked: link.rateBps,
    low: link.rateBps * (1 - rateTolerance.degraded),
    high: link.rateBps * (1 + rateTolerance.degraded),
  } as const;
  if (plan === null || observed === null)
    return [
      { ...reading(rateQuestion, null, 'the link is too fast for the sender'), verdict: 'degraded' },
      ...disciplineReadings(link, null, null),
    ];
  const rate = overloadRate(link, plan, observed);
  const isLate = rate !== undefined && wasLate(link, plan, rate);
  return [
    rateReading(link, rateQuestion, rate, isLate),
    ...plateauReadings(link, plan, observed, rate, isLate),
    ...conservation(observed),
    ...disciplineReadings(link, plan, observed),
  ];
}

/**
 * Returns true if the link is slow only because the machine delayed it: the rate was right most of the time, or packets
 * that were not late followed each other at the requested rate. Behind a token bucket packets may pass at once after a
 * pause, so the second test would not show a wrong rate there.
 */
function wasLate(
  link: PreflightLink,
  { payloadBytes }: OverloadPlan,
  { meanBps, medianBps, gapMs, foundEmpty }: OverloadRate,
): boolean {
  const within = (ratio: number, least: number, most: number) => ratio >= least && ratio <= most;
  const { degraded } = rateTolerance;
  return (
    link.bucketBytes === 0 &&
    foundEmpty === 0 &&
    within(meanBps / link.rateBps, leastLateRatio, 1) &&
    (within(medianBps / link.rateBps, 1 - degraded, 1 + degraded) ||
      within(slotMs(link, payloadBytes) / gapMs, 1 - Math.max(degraded, gapKnownMs / gapMs), mostMadeUpRatio))
  );
}

function rateReading(
  link: PreflightLink,
  question: Parameters<typeof reading>[0],
  rate: OverloadRate | undefined,
  isLate: boolean,
): Reading {
  const read = reading(question, rate?.meanBps ?? null);
  if (rate === undefined) return read;
  if (read.verdict === 'ok') {
    if (Math.abs(rate.medianBps / link.rateBps - 1) <= rateTolerance.refused) return read;
    return {
      ...read,
      verdict: 'repeat',
      note: `most of the time it was ${(rate.medianBps / 1e6).toFixed(3)} Mbit/s: something was held up`,
    };
  }
  if (isLate) return late(read, `${(rate.medianBps / 1e6).toFixed(3)} Mbit/s most of the time: something was held up`);
  if (rate.foundEmpty > 0 && rate.meanBps < link.rateBps)
    return { ...read, verdict: 'repeat', note: `the queue ran empty: ${rate.foundEmpty} packets did not wait` };
  if (Math.abs(rate.medianBps / link.rateBps - 1) <= rateTolerance.degraded) {
    return {
      ...read,
      verdict: 'repeat',
      note: `most of the time it was right (${(rate.medianBps / 1e6).toFixed(3)} Mbit/s): something was held up`,
    };
  }
  return Math.abs(rate.meanBps / link.rateBps - 1) <= rateTolerance.refused ? { ...read, verdict: 'degraded' } : read;
}

function plateauReadings(
  link: PreflightLink,
  plan: OverloadPlan,
  observed: OverloadObservation,
  rate: OverloadRate | undefined,
  isLate: boolean,
): Reading[] {
  const limit = limitInPackets(link, plan.payloadBytes) ?? roomPackets(link, plan.payloadBytes);
  const question = {
    step: 'overload',
    unit: 'packets',
    asked: limit,
    low: limit - plateauTolerancePackets,
    high: limit + plateauTolerancePackets,
  } as const;
  // the wait of the idle path, which is subtracted, is uncertain by a tick and by the time of a packet
  const unsure = link.stepMs === undefined ? 0 : 1 + link.stepMs / slotMs(link, plan.payloadBytes);
  const byDelay = {
    ...question,
    low: question.low - unsure,
    high: question.high + unsure,
    id: 'queue-plateau',
    title: 'packets in the full queue, by their delay',
  };
  const byCount = { ...question, id: 'queue-count', title: 'packets in the full queue, by its own count' };
  if (isManaged(link))
    return [skipped(byCount, `${link.discipline.title} keeps the queue short: its limit is not reached`)];
  if (link.limitPackets === null && link.limitBytes === null) return [];
  if (plan.plateauPackets === null)
    return [byDelay, byCount].map(one => skipped(one, 'the queue would need too long to fill'));
  const starved = rate !== undefined && rate.foundEmpty > 0;
  const note = starved ? 'the queue ran empty for want of packets' : null;
  const readings = [
    // an admitted packet waits for the rest of the packet in service and all packets before it: between limit - 1 and
    // limit
    reading(byDelay, rate?.queuePackets ?? null, note),
    reading(
      byCount,
      observed.backlogs.length === 0 ? null : Math.max(...observed.backlogs),
      `${observed.backlogs.length} looks`,
    ),
  ];
  // a delay of the link adds to the wait for the packets ahead
  const excused = isLate && readings[1]!.verdict === 'ok' && (rate?.queuePackets ?? 0) > limit;
  return readings.map((one, i) => {
    if (one.verdict !== 'refused') return one;
    if (starved) return { ...one, verdict: 'repeat' };
    return i === 0 && excused ? late(one, 'the link was held up meanwhile; its own count is right') : one;
  });
}

/**
 * Returns readings that check that every packet was delivered, dropped by the queue, or waits, and that queue and
 * receiver agree on the number of delivered packets.
 */
function conservation({ sent, arrivals, kernelDropped, counters }: OverloadObservation): Reading[] {
  const delivered = arrivals.length + kernelDropped;
  const exact = (asked: number) => ({ unit: 'packets', step: 'overload', asked, low: asked, high: asked }) as const;
  return [
    reading(
      {
        ...exact(sent),
        id: 'conservation',
        title: 'packets delivered, dropped by the queue or waiting, of those sent',
      },
      delivered + counters.droppedPackets + counters.backlogPackets,
      `${delivered} delivered, ${counters.droppedPackets} dropped, ${counters.backlogPackets} wait`,
    ),
    reading(
      { ...exact(counters.sentPackets), id: 'delivery', title: 'packets delivered, of those that left the queue' },
      delivered,
    ),
    ...(counters.inPackets === undefined
      ? []
      : [
          reading(
            { ...exact(sent), id: 'arrivals', title: 'packets that reached the queue, of those sent' },
            counters.inPackets,
          ),
        ]),
  ];
}
