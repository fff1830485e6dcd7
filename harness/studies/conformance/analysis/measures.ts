/**
 * Measures of a trial: what RFC 8836 requires of a congestion control and what RFC 8867 asks to observe, each as a
 * number with a bound. The RFCs give no numbers. The bounds here are this project's, each with its reason; a case and a
 * definition can set others.
 */
import { jainIndex } from '../../../../core/stats/fair-share.ts';
import { isSamePlace } from '../../../../core/vocabulary/hops.ts';
import {
  type Course,
  type CourseBottleneck,
  type Flow,
  fairBps,
  lastEstimate,
  rateBps,
  type Span,
  type Stretch,
  stretchesOf,
  sumIn,
  timeUntil,
  usableBps,
} from './course.ts';

export type Measure = {
  id: string;
  title: string;
  unit: 's' | 'ms' | 'bit/s' | 'ratio' | '1/min' | '';
  better: 'higher' | 'lower';
  /** Requirement that the measure is about. */
  requirement: string;
  /** Rule by which the value is computed. */
  rule: string;
  /** Bound of a case that sets none, as text with a unit or a number. */
  atMost?: string | number;
  atLeast?: string | number;
  /** Reason for this bound. */
  reason: string;
} & (Computed | Taken);

/** Measure with a rule of its own. */
type Computed = {
  /** Value of a trial; null if the trial has none. */
  compute(course: Course, span: Span): number | null;
};

/** Measure that is a metric of every media flow, over the whole window. The worst flow counts. */
type Taken = { metric: string };

/** Share of the usable rate at which flows have converged. */
const convergedShare = 0.8;
/** Jain's index from which shares are called fair. */
const fairIndex = 0.9;
/** Queue delay below which a queue is left, ms: the bound of the delay's 95th percentile. */
const leftMs = 100;
/** Stretches shorter than this are not judged, ms: a flow needs some seconds to react and the rules look 5 s ahead. */
const shortestMs = 5000;
/** Time after the start of a stretch that variation does not count, ms: the bound of the time to converge. */
const settlingMs = 10_000;

/** Returns what `pick` picks of the values that are there; null if none is. */
export const worst = (values: readonly (number | null)[], pick: (...values: number[]) => number): number | null => {
  const given = values.filter(value => value !== null);
  return given.length === 0 ? null : pick(...given);
};

/** Reason for the bounds of measures that only cases with published ranges have. */
const publishedReason = 'none of its own: the source of a case publishes one';

const mediaOf = ({ flows }: Pick<Stretch, 'flows'>) => flows.filter(({ isMedia }) => isMedia);
const mediaAt = ({ flows }: Course, bottleneck: CourseBottleneck) =>
  flows.filter(flow => flow.isMedia && isSamePlace(flow, bottleneck));

const judged = (course: Course, span: Span): Stretch[] =>
  course.bottlenecks
    .flatMap(bottleneck => stretchesOf(course, bottleneck, span))
    .filter(stretch => stretch.toMs - stretch.fromMs >= shortestMs && mediaOf(stretch).length > 0);

function utilisation(course: Course, span: Span): number | null {
  const shares = course.bottlenecks.map(bottleneck => {
    const stretches = stretchesOf(course, bottleneck, span).filter(stretch => mediaOf(stretch).length > 0);
    const bits = (of: (stretch: Stretch) => number) =>
      stretches.reduce((sum, one) => sum + (of(one) * (one.toMs - one.fromMs)) / 1000, 0);
    const usable = bits(usableBps);
    return usable === 0 ? null : bits(one => rateBps(one.flows, course, one)) / usable;
  });
  return worst(shares, Math.min);
}

/** Returns the 95th percentile of the bins' delays, weighted by their packets. */
function delayP95(course: Course, { fromMs, toMs }: Span): number | null {
  const ofBottleneck = course.bottlenecks.map(bottleneck => {
    const bins = mediaAt(course, bottleneck).flatMap(({ delayMs, sentPackets }) =>
      delayMs.flatMap((ms, k) => {
        const middleMs = (k + 0.5) * course.binMs;
        return ms === null || middleMs < fromMs || middleMs >= toMs ? [] : [{ ms, packets: sentPackets[k]! }];
      }),
    );
    let left = bins.reduce((sum, { packets }) => sum + packets, 0) * 0.95;
    const sorted = bins.sort((a, b) => a.ms - b.ms);
    return sorted.find(({ packets }) => (left -= packets) <= 0)?.ms ?? null;
  });
  return worst(ofBottleneck, Math.max);
}

function loss({ flows, binMs }: Course, span: Span): number | null {
  const media = flows.filter(({ isMedia }) => isMedia);
  const ratios = [...Map.groupBy(media, ({ name }) => name).values()].map(entries => {
    // fewest packets leave the last of its bottlenecks
    const sent = Math.min(...entries.map(({ sentPackets }) => sumIn(sentPackets, binMs, span)));
    const dropped = entries.reduce((sum, { droppedPackets }) => sum + sumIn(droppedPackets, binMs, span), 0);
    return sent + dropped === 0 ? null : dropped / (sent + dropped);
  });
  return worst(ratios, Math.max);
}

const weightedJain = (flows: readonly Flow[], course: Course, span: Span) =>
  jainIndex(...flows.map(flow => rateBps([flow], course, span) / flow.weight));

function fairness(course: Course, span: Span): number | null {
  const indices = course.bottlenecks.map(bottleneck => {
    const flows = mediaAt(course, bottleneck).filter(({ active }) =>
      active.some(({ fromMs, toMs }) => fromMs <= span.fromMs && toMs >= span.toMs),
    );
    return flows.length < 2 ? null : weightedJain(flows, course, span);
  });
  return worst(indices, Math.min);
}

function timeToConverge(course: Course, span: Span): number | null {
  const times = judged(course, span).map(stretch => {
    const least = convergedShare * usableBps(stretch);
    const holds = (part: Span) => rateBps(stretch.flows, course, part) >= least;
    return timeUntil(stretch, course, { windowMs: 1000, holdMs: 5000 }, holds) / 1000;
  });
  return worst(times, Math.max);
}

function timeToFair(course: Course, span: Span): number | null {
  const times = judged(course, span)
    .filter(stretch => mediaOf(stretch).length > 1)
    .map(stretch => {
      const holds = (part: Span) => (weightedJain(mediaOf(stretch), course, part) ?? 0) >= fairIndex;
      return timeUntil(stretch, course, { windowMs: 2000, holdMs: 5000 }, holds) / 1000;
    });
  return worst(times, Math.max);
}

function timeToLeaveQueue(course: Course, span: Span): number | null {
  const times = course.bottlenecks.flatMap(bottleneck => {
    const stretches = stretchesOf(course, bottleneck, span);
    return stretches.slice(1).flatMap((stretch, k) => {
      if (stretch.capacityBps >= stretches[k]!.capacityBps || mediaOf(stretch).length === 0) return [];
      const isLeft = ({ fromMs, toMs }: Span) =>
        mediaOf(stretch).every(({ delayMs }) =>
          delayMs
            .slice(Math.floor(fromMs / course.binMs), Math.ceil(toMs / course.binMs))
            .every(ms => ms === null || ms <= leftMs),
        );
      return [timeUntil(stretch, course, { windowMs: 1000, holdMs: 1000 }, isLeft) / 1000];
    });
  });
  return worst(times, Math.max);
}

/** Returns the lowest ratio of rate and max-min fair rate of the flows, each while it was active in the span. */
function leastShare(course: Course, span: Span, isMedia: boolean): number | null {
  const stretches = course.bottlenecks.flatMap(bottleneck => stretchesOf(course, bottleneck, span));
  const shares = course.flows
    .filter(flow => flow.isMedia === isMedia)
    .map(flow => {
      const own = stretches.filter(({ flows }) => flows.includes(flow));
      const bits = (of: (stretch: Stretch) => number) =>
        own.reduce((sum, one) => sum + of(one) * (one.toMs - one.fromMs), 0);
      return own.length === 0 ? null : bits(one => rateBps([flow], course, one)) / bits(one => fairBps(one, flow));
    });
  return worst(shares, Math.min);
}

function leastRate(course: Course, span: Span): number | null {
  const rates = course.flows
    .filter(({ isMedia }) => isMedia)
    .map(flow => {
      const parts = flow.active
        .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) }))
        .filter(({ fromMs, toMs }) => fromMs < toMs);
      const lengthMs = parts.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
      const bits = parts.reduce((sum, part) => sum + sumIn(flow.bits, course.binMs, part), 0);
      return lengthMs === 0 ? null : (bits * 1000) / lengthMs;
    });
  return worst(rates, Math.min);
}

/** Returns what `pick` picks of the media senders' estimates at the ends of the seconds of the span. */
function estimateBySecond(
  course: Course,
  { fromMs, toMs }: Span,
  pick: (...values: number[]) => number,
): number | null {
  const seconds = Array.from({ length: Math.ceil((toMs - fromMs) / 1000) }, (_, k) => ({
    fromMs: fromMs + 1000 * k,
    toMs: Math.min(toMs, fromMs + 1000 * (k + 1)),
  }));
  return worst(
    mediaOf(course).flatMap(flow => seconds.map(second => lastEstimate(flow, course, second))),
    pick,
  );
}

const estimateAtEnd = (course: Course, span: Span): number | null =>
  worst(
    mediaOf(course).map(flow => lastEstimate(flow, course, span)),
    Math.min,
  );

/** Returns the largest coefficient of variation of the rate per second in a settled stretch. */
function variation(course: Course, span: Span): number | null {
  const ratios = judged(course, span).map(stretch => {
    const seconds = Math.floor((stretch.toMs - stretch.fromMs - settlingMs) / 1000);
    if (seconds < 5) return null;
    const rates = Array.from({ length: seconds }, (_, k) => {
      const fromMs = stretch.fromMs + settlingMs + 1000 * k;
      return rateBps(mediaOf(stretch), course, { fromMs, toMs: fromMs + 1000 });
    });
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / seconds;
    const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / (seconds - 1);
    return mean === 0 ? null : Math.sqrt(variance) / mean;
  });
  return worst(ratios, Math.max);
}

export const measures: readonly Measure[] = [
  {
    id: 'used-share',
    title: 'Use of the usable rate',
    unit: 'ratio',
    better: 'higher',
    requirement: 'RFC 8836, requirement 1: a useful amount of bandwidth',
    rule:
      'Bytes that left the bottleneck, divided by what capacity and the highest rates of the flows allow. ' +
      'With several bottlenecks, the lowest value; what a flow can use is then its max-min fair rate over all of them.',
    atLeast: '70%',
    reason: 'leaves room for 10 s to converge after each change of a capacity that lasts 20 s or more',
    compute: utilisation,
  },
  {
    id: 'queue-wait-p95',
    title: 'Queue delay, 95th percentile',
    unit: 'ms',
    better: 'lower',
    requirement: 'RFC 8836, requirement 1: as-low-as-possible delay, tracking short-term maximums',
    rule: "95th percentile of the media packets' time in the queue, from medians of 100 ms weighted by packets.",
    atMost: '100ms',
    reason: 'ITU-T G.114: up to 150 ms one way suit a conversation, and the path has 50 ms',
    compute: delayP95,
  },
  {
    id: 'queue-dropped-share',
    title: 'Loss at the queue',
    unit: 'ratio',
    better: 'lower',
    requirement: 'RFC 8867, section 4.1: packet loss',
    rule: 'Dropped packets of the media flow that lost most, as a share of its packets at its queues.',
    atMost: '2%',
    reason: 'GCC keeps its rate up to this loss (draft-ietf-rmcat-gcc-02, section 6)',
    compute: loss,
  },
  {
    id: 'time-to-converge',
    title: 'Time to converge',
    unit: 's',
    better: 'lower',
    requirement: 'RFC 8836, requirements 1c and 4: adapt quickly, at the start and to changes',
    rule:
      `Longest time after a change of capacity or flows until the rate of one second, and the mean of the next five, ` +
      `are at least ${100 * convergedShare} % of the usable rate. A rate that never is counts with the time to the next change.`,
    atMost: '10s',
    reason: 'half of the 20 s that RFC 8867 leaves between two changes',
    compute: timeToConverge,
  },
  {
    id: 'time-to-leave-queue',
    title: 'Time to leave the queue',
    unit: 's',
    better: 'lower',
    requirement: 'RFC 8836, requirement 1c: a quick reaction, likely within a second, to avoid delay buildup',
    rule: `Longest time after a reduction of the capacity until the queue delay stays at ${leftMs} ms or less for one second.`,
    atMost: '3s',
    reason: 'one second to react, and two to drain a queue of 300 ms at 85 % of the capacity',
    compute: timeToLeaveQueue,
  },
  {
    id: 'rate-variation',
    title: 'Variation of the rate',
    unit: 'ratio',
    better: 'lower',
    requirement: 'RFC 8867, section 5.1: avoid unwanted oscillation of the media rate',
    rule: "Largest coefficient of variation of the media's rate per second, from 10 s after a change to the next.",
    atMost: '25%',
    reason: 'own: about one rung of a ladder of bitrates to each side',
    compute: variation,
  },
  {
    id: 'jain-index-media',
    title: "Jain's index of the media flows",
    unit: '',
    better: 'higher',
    requirement: 'RFC 8836, requirement 2: fair with itself',
    rule: "Jain's index of the rates, each divided by its priority, of the flows that are active in the whole span.",
    atLeast: fairIndex,
    reason: 'three flows at 1 : 1 : 2 have 0.89; RFC 8868 tolerates more, a ratio of 3',
    compute: fairness,
  },
  {
    id: 'time-to-fair',
    title: 'Time to fair shares',
    unit: 's',
    better: 'lower',
    requirement: 'RFC 8836, requirements 2a and 5a: new and resumed flows get their share quickly',
    rule:
      `Longest time after a change of capacity or flows until Jain's index of two seconds, and of the next five, is ` +
      `at least ${fairIndex}. An index that never is counts with the time to the next change.`,
    atMost: '20s',
    reason: 'the time that RFC 8867, section 5.4, leaves between two new flows',
    compute: timeToFair,
  },
  {
    id: 'least-share',
    title: 'Share of the weakest media flow',
    unit: 'ratio',
    better: 'higher',
    requirement: 'RFC 8836, requirements 2 and 3: no starvation by others',
    rule: 'Lowest rate of a media flow, divided by its max-min fair share while it was active.',
    atLeast: '50%',
    reason: 'a flow below half of its share is called starved here',
    compute: (course, span) => leastShare(course, span, true),
  },
  {
    id: 'least-rate',
    title: 'Rate of the weakest media flow',
    unit: 'bit/s',
    better: 'higher',
    requirement: 'RFC 8867, sections 5.6 and 5.7: at least the minimum media rate',
    rule: 'Lowest rate of a media flow while it was active.',
    atLeast: '150kbit',
    reason: 'the minimum media rate of RFC 8867, section 4.3',
    compute: leastRate,
  },
  {
    id: 'beside-share',
    title: 'Share of the weakest flow beside',
    unit: 'ratio',
    better: 'higher',
    requirement: 'RFC 8836, requirement 3: no starvation of TCP flows',
    rule: 'Lowest rate of a flow that is not under test, divided by its max-min fair share.',
    atLeast: '50%',
    reason: 'a flow below half of its share is called starved here',
    compute: (course, span) => leastShare(course, span, false),
  },
  {
    id: 'lowest-estimate',
    title: 'Lowest bandwidth estimate',
    unit: 'bit/s',
    better: 'higher',
    requirement: 'RFC 8836, requirement 1: a useful amount of bandwidth',
    rule: "Lowest of the senders' bandwidth estimates (target rates, without one), read at the end of each second.",
    reason: publishedReason,
    compute: (course, span) => estimateBySecond(course, span, Math.min),
  },
  {
    id: 'highest-estimate',
    title: 'Highest bandwidth estimate',
    unit: 'bit/s',
    better: 'lower',
    requirement: 'RFC 8836, requirement 1: as-low-as-possible delay, so no more than the link carries',
    rule: "Highest of the senders' bandwidth estimates (target rates, without one), read at the end of each second.",
    reason: publishedReason,
    compute: (course, span) => estimateBySecond(course, span, Math.max),
  },
  {
    id: 'estimate-at-end',
    title: 'Bandwidth estimate at the end',
    unit: 'bit/s',
    better: 'higher',
    requirement: 'RFC 8836, requirement 1: a useful amount of bandwidth',
    rule: "Last bandwidth estimate of a sender (target rate, without one) in the span; the senders' lowest.",
    reason: publishedReason,
    compute: estimateAtEnd,
  },
  {
    id: 'worst-voice-interruption-rate',
    title: 'Interruptions of a voice a minute',
    unit: '1/min',
    better: 'lower',
    requirement: 'RFC 8836, requirement 1: low delay and a useful rate also for audio',
    rule: 'Metric `voice-interruption-rate` of the voice that was interrupted most often. Senders without a voice have none.',
    atMost: 2,
    reason: 'own: one interruption in 30 s',
    metric: 'voice-interruption-rate',
  },
];
