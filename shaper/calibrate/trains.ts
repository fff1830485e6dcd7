/**
 * Readings of packet trains. A train shows in which time a short burst leaves the bottleneck after an idle time.
 * Senders that probe for bandwidth measure the same.
 *
 * A token bucket of C bytes lets packet k (1, 2, ...) of L bytes go C early: at ((k - 1) L - C) / rate, never before 0.
 * A train of n packets therefore takes the time of (n - 1) L - C bytes at the rate (kernel: sch_htb.c, htb_class_mode;
 * a class may send while its tokens are not below 0). A packet leaves "at line rate" if it follows the previous one in
 * less than half of L / rate.
 */
import { median } from '../../core/stats/quantile.ts';
import type { Arrival } from './arrivals.ts';
import type { PreflightLink } from './link.ts';
import { countedBytes, fastestBps, lineRatePackets, slotMs } from './packets.ts';
import { type TrainPlan, wholeTrain } from './plan.ts';
import { type Reading, reading, skipped } from './readings.ts';

/** Tolerance of the rate of a train as a share of the rate; timer delays are added. */
const rateTolerance = 0.01;
/** Delay of a packet that the kernel's timers cause on a busy machine, ms. */
const timerMs = 0.05;
/**
 * Largest number of packets that may leave at line rate after an idle time; more of them mislead senders that probe for
 * bandwidth. On a link that serialises, only the first packet leaves at line rate.
 */
const lineRateLimit = { bucket: 2, serialising: 1 } as const;

/**
 * Returns the rate that a train of `packets` packets measures behind a token bucket of `bucketBytes`, relative to the
 * link's rate.
 */
export function dispersionRatio(packets: number, packetBytes: number, bucketBytes: number): number {
  const bytes = (packets - 1) * packetBytes;
  return bytes / Math.max(bytes - bucketBytes, packetBytes / 2);
}

type Train = {
  /** Rate measured over the whole train, bit/s. */
  dispersionBps: number;
  /** Rate of the packets after those at line rate, bit/s. */
  steadyBps: number;
  lineRatePackets: number;
};

/** Returns true if the whole train arrived and its sender was fast enough. */
function isWhole(link: PreflightLink, plan: TrainPlan, arrivals: readonly Arrival[]): boolean {
  const [first, last] = [arrivals[0], arrivals.at(-1)];
  if (arrivals.length !== plan.trainPackets || first === undefined || last === undefined) return false;
  return last.sentMs - first.sentMs <= (plan.trainPackets * slotMs(link, plan.payloadBytes)) / 2;
}

/** Returns the rates of one train; undefined if the train is not whole. */
export function readTrain(link: PreflightLink, plan: TrainPlan, arrivals: readonly Arrival[]): Train | undefined {
  const n = plan.trainPackets;
  const slot = slotMs(link, plan.payloadBytes);
  if (!isWhole(link, plan, arrivals)) return undefined;
  const [first, last] = [arrivals[0]!, arrivals.at(-1)!];
  let together = 1;
  while (together < n && arrivals[together]!.receivedMs - arrivals[together - 1]!.receivedMs < slot / 2) together++;
  // the packet after those still uses the rest of the bucket: the rate is steady from there on
  const from = Math.min(together === 1 ? 0 : together, n - 2);
  const bits = countedBytes(link, plan.payloadBytes) * 8e3;
  return {
    dispersionBps: ((n - 1) * bits) / (last.receivedMs - first.receivedMs),
    steadyBps: ((n - 1 - from) * bits) / (last.receivedMs - arrivals[from]!.receivedMs),
    lineRatePackets: together,
  };
}

/** Returns the arrivals of each train, in the order of sending. */
function byTrain(plan: TrainPlan, arrivals: readonly Arrival[]): Arrival[][] {
  const trains: Arrival[][] = Array.from({ length: plan.trains }, () => []);
  for (const arrival of arrivals) trains[Math.floor(arrival.sequence / plan.trainPackets)]?.push(arrival);
  return trains.map(train => train.sort((a, b) => a.sequence - b.sequence));
}

/** Returns the whole trains, each with its arrivals in the order of sending. */
export function wholeTrains(link: PreflightLink, plan: TrainPlan, arrivals: readonly Arrival[]): Arrival[][] {
  return byTrain(plan, arrivals).filter(train => isWhole(link, plan, train));
}

function whyNone({ rateBps, discipline: { law, title } }: PreflightLink): string {
  if (rateBps > fastestBps) return 'the link is too fast for the sender';
  if (law === null) return `when it drops packets is not said in ${title}`;
  return law.kind === 'tail'
    ? 'the queue is too short for a train'
    : `the queue is too short for a train, or ${title} would drop packets of one that is long enough`;
}

/**
 * Returns the readings of the trains. `plan`: null if no train can be sent on this link. `droppedPackets`: packets that
 * the queue dropped during the trains.
 */
export function trainReadings(
  link: PreflightLink,
  plan: TrainPlan | null,
  arrivals: readonly Arrival[],
  droppedPackets = 0,
): Reading[] {
  const { trainPackets: n, payloadBytes } = plan ?? wholeTrain;
  const packetBytes = countedBytes(link, payloadBytes);
  const ratio = dispersionRatio(n, packetBytes, link.bucketBytes);
  const slack = rateTolerance + (timerMs + (link.stepMs ?? 0)) / ((n - 1) * slotMs(link, payloadBytes));
  const atOnce = Math.max(
    link.bucketBytes === 0 ? lineRateLimit.serialising : lineRateLimit.bucket,
    lineRatePackets(packetBytes, link.bucketBytes),
  );
  const questions = {
    dispersion: {
      id: 'train-dispersion',
      step: 'trains',
      title: `rate that ${n} packets after idle show`,
      unit: 'bps',
      asked: link.rateBps * ratio,
      low: link.rateBps * (1 - slack),
      high: link.rateBps * ratio * (1 + slack),
    },
    steady: {
      id: 'train-rate',
      step: 'trains',
      title: 'rate inside a train, once its first packets are gone',
      unit: 'bps',
      asked: link.rateBps,
      low: link.rateBps * (1 - slack),
      high: link.rateBps * (1 + slack),
    },
    together: {
      id: 'line-rate-packets',
      step: 'trains',
      title: 'packets at line rate after idle',
      unit: 'packets',
      asked: atOnce,
      low: 1,
      high: atOnce,
    },
  } as const;
  if (plan === null) return Object.values(questions).map(question => skipped(question, whyNone(link)));
  const whole = byTrain(plan, arrivals).flatMap(train => readTrain(link, plan, train) ?? []);
  const note = `${whole.length} of ${plan.trains} trains were whole`;
  const readings = [
    reading(questions.dispersion, median(whole.map(train => train.dispersionBps)) ?? null, note),
    reading(questions.steady, median(whole.map(train => train.steadyBps)) ?? null, note),
    reading(questions.together, median(whole.map(train => train.lineRatePackets)) ?? null, note),
  ];
  if (whole.length * 2 >= plan.trains) return readings;
  // a discipline does not act on these trains: if the queue drops them, it has another discipline
  if (droppedPackets > 0)
    return readings.map(r => ({
      ...r,
      verdict: 'refused' as const,
      note: `${note}: the queue dropped ${droppedPackets} packets that ${link.discipline.title} would not drop`,
    }));
  // most trains were interrupted before the link, so they show nothing
  return readings.map(r => ({ ...r, verdict: 'repeat' as const }));
}
