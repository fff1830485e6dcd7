/**
 * Plans of the probes that measure a link precisely in a short time: about ten seconds in all at usual rates.
 *
 * If a queue's limit counts packets and it holds seconds of full packets, the test uses smaller packets. With the same
 * limit, the queue then fills and drains sooner.
 */
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import type { PreflightLink } from './link.ts';
import {
  countedBytes,
  fastestBps,
  fullPayloadBytes,
  limitInPackets,
  roomPackets,
  slotMs,
  smallPayloadBytes,
} from './packets.ts';
import { quietTrain, trainEveryMs } from './quiet.ts';

const idleProbes = 200;
/** Longest time for the idle probes, ms. At least a tenth of the probes is sent in any case. */
const idleProbesMs = 2000;
/** Longest serialisation time of a probe, ms, that has no measurable effect on the delay of another probe behind it. */
const unseenSlotMs = 0.05;
/** Train that is used if queue and rate allow a train of this size. */
export const wholeTrain = { trainPackets: 20, payloadBytes: fullPayloadBytes } as const;
const trains = 20;
/** Idle time of the link before a train, ms. */
const idleMs = 100;
/** Smallest number of packets of a train; a shorter train does not show a rate. */
const fewestTrainPackets = 5;
/** Longest time for all trains, ms. */
const trainsMs = 3000;
/** Number of probes of each size, and number of gaps for each length of train, in the serialisation test. */
const serialisationProbes = 200;
const serialisationGaps = 100;
/**
 * Longest time for the probes of one size or the trains of one length, ms, and smallest number of probes and of trains.
 */
const serialisationMs = 400;
const fewestProbes = 10;
const fewestTrains = 3;
/** IP lengths of the probes of the serialisation test, bytes, and numbers of packets of its trains. */
const serialisationIpBytes = [1500, 600, 100] as const;
const serialisationTrains = [2, 3, 10] as const;
/** Shortest interval between two probes or two trains of the serialisation test, ms. */
const shortestRestMs = 2;
/** Offered load of the overload test, relative to the rate of the link. */
export const overloadFactor = 1.15;
const overloadSeconds = 2;
/**
 * Longest drain time of a full queue of full packets, ms; if the queue would need longer, the test uses smaller
 * packets.
 */
const drainMs = 1500;
/** Longest drain time of a full queue, ms; the limit of a queue that needs longer is not tested. */
const longestDrainMs = 10_000;
/** Packets that are sent ahead into a queue whose limit is not tested. */
const headStartPackets = 20;
/**
 * Longest serialisation time of a packet of the overload, ms, so that two seconds contain many packets. The second
 * value applies if a discipline must act.
 */
const longestSlotMs = 25;
const managedSlotMs = 10;
/** Largest packet rate of a sender, packets per second, and longest time of the loss test, s. */
const senderPacketsPerSecond = 10_000;
const lossSeconds = 2;
export type IdlePlan = { payloadBytes: number; packets: number; everyUs: number };

/** Returns the bottleneck rate of each path that leads through a bottleneck, bit/s. */
const pathRatesBps = (link: PreflightLink) =>
  link.paths.flatMap(({ shaped, otherRateBps }) => (shaped ? [link.rateBps] : (otherRateBps ?? [])));

/**
 * Returns true if probes of two paths may meet at a bottleneck and delay each other. The paths are then probed one
 * after another. On a fast link the delay is too short to matter.
 */
export function canOverlap(link: PreflightLink): boolean {
  const rates = pathRatesBps(link);
  return (
    new Set(rates).size < rates.length &&
    rates.some(rateBps => slotMs({ ...link, rateBps }, smallPayloadBytes) > unseenSlotMs)
  );
}

/**
 * Returns a plan of idle probes. Their interval leaves three quarters of the link idle, counting all paths that send at
 * the same time.
 */
export function idlePlan(link: PreflightLink): IdlePlan {
  const rates = pathRatesBps(link);
  const inTurn = canOverlap(link);
  const busiestMs = Math.max(
    ...rates.map(
      rateBps =>
        (inTurn ? 1 : rates.filter(rate => rate === rateBps).length) * slotMs({ ...link, rateBps }, smallPayloadBytes),
    ),
  );
  const everyMs = Math.max(2, 4 * busiestMs);
  const mostMs = inTurn ? idleProbesMs / 2 : idleProbesMs;
  const packets = Math.min(idleProbes, Math.max(idleProbes / 10, Math.floor(mostMs / everyMs)));
  return { payloadBytes: smallPayloadBytes, packets, everyUs: Math.round(everyMs * 1e3) };
}

export type TrainPlan = { payloadBytes: number; trainPackets: number; trains: number; everyMs: number };

/**
 * Returns the plan of the trains; null if no train fits into the queue, the discipline acts on every train, or the link
 * is too fast for a sender.
 */
export function trainPlan(link: PreflightLink): TrainPlan | null {
  if (link.rateBps > fastestBps) return null;
  const train = quietTrain(link, { most: wholeTrain.trainPackets, fewest: fewestTrainPackets, trains, restMs: idleMs });
  if (train === null) return null;
  const everyMs = trainEveryMs(link, train, idleMs);
  return { ...train, trains: Math.max(3, Math.min(trains, Math.floor(trainsMs / everyMs))), everyMs };
}

/** Plans of the serialisation test. They are sent one after another, so that no size waits behind another. */
export type SerialisationPlan = { idle: IdlePlan[]; trains: TrainPlan[] };

/**
 * Returns the plans of the serialisation test; null if the link is too fast for a sender. Trains that do not fit into
 * the queue, or on which the discipline acts, are left out.
 */
export function serialisationPlan(link: PreflightLink): SerialisationPlan | null {
  if (link.rateBps > fastestBps) return null;
  const often = (everyMs: number, wanted: number, fewest: number) =>
    Math.max(fewest, Math.min(wanted, Math.floor(serialisationMs / everyMs)));
  const slot = slotMs(link, fullPayloadBytes);
  // equal intervals for all sizes: hosts take longer for a packet after a longer sleep
  const probeEveryMs = Math.max(shortestRestMs, 3 * slot);
  const idle = serialisationIpBytes.map(ipBytes => ({
    payloadBytes: ipBytes - udpHeadersBytes,
    packets: often(probeEveryMs, serialisationProbes, fewestProbes),
    everyUs: Math.round(probeEveryMs * 1e3),
  }));
  const ofLength = serialisationTrains.flatMap(most => {
    const trainsMost = Math.ceil(serialisationGaps / (most - 1));
    const restMs = Math.max(shortestRestMs, slot);
    const train = quietTrain(link, { most, fewest: Math.min(most, 4), trains: trainsMost, restMs });
    if (train === null) return [];
    const everyMs = trainEveryMs(link, train, restMs);
    return [{ ...train, trains: often(everyMs, trainsMost, fewestTrains), everyMs }];
  });
  return { idle, trains: ofLength };
}

export type OverloadPlan = {
  payloadBytes: number;
  rateBps: number;
  seconds: number;
  prefillPackets: number;
  overheadBytes: number;
  /** Number of packets that fill the queue to its limit; null if the limit is not tested. */
  plateauPackets: number | null;
  /** Milliseconds from the first packet until the queue should be full. */
  settleMs: number;
  /** Time that the full queue takes to drain, ms. */
  drainMs: number;
};

/** Returns the plan of the overload; null if the link is too fast for a sender. */
export function overloadPlan(link: PreflightLink): OverloadPlan | null {
  if (link.rateBps > fastestBps) return null;
  const isManaged = link.discipline.law?.kind !== 'tail';
  const mostMs = Math.min(
    isManaged ? managedSlotMs : longestSlotMs,
    link.limitPackets === null ? Infinity : drainMs / link.limitPackets,
  );
  const payloadBytes = Math.max(
    smallPayloadBytes,
    Math.min(fullPayloadBytes, Math.floor((mostMs * link.rateBps) / 8e3) - countedBytes(link, 0)),
  );
  const slot = slotMs(link, payloadBytes);
  const limit = limitInPackets(link, payloadBytes);
  const plateauPackets = limit !== null && limit * slot <= longestDrainMs ? limit : null;
  // the backlog is at least what a discipline spares: two full packets (RFC 8033, section 4.1)
  const headPackets = isManaged
    ? Math.ceil((2 * 1.6 * countedBytes(link, fullPayloadBytes)) / countedBytes(link, payloadBytes))
    : 0;
  // of packets sent at three times the rate, two thirds stay in the queue
  const prefillPackets =
    plateauPackets === null
      ? Math.min(Math.max(headStartPackets, headPackets), roomPackets(link, payloadBytes))
      : Math.ceil(plateauPackets * 1.6) + 5;
  const rateBps = link.rateBps * overloadFactor;
  const queuedMs = (plateauPackets ?? prefillPackets + ((overloadFactor - 1) * overloadSeconds * 1e3) / slot) * slot;
  return {
    payloadBytes,
    rateBps,
    seconds: overloadSeconds,
    prefillPackets,
    overheadBytes: link.overheadBytes,
    plateauPackets,
    settleMs: (prefillPackets * slot) / overloadFactor / 3 + 100,
    drainMs: queuedMs,
  };
}

export type LossPlan = { payloadBytes: number; packets: number; everyUs: number };

/**
 * Returns a plan of the loss test. Its number of packets brings the 99 % interval of the lost share within 20 % of the
 * ratio: n = 166 (1 - p) / p. The number is bounded by two seconds of half the link, shared by `paths` paths. Without
 * loss: at most 2000 packets in half a second.
 */
export function lossPlan(link: PreflightLink, lossRatio: number, paths: number): LossPlan {
  const packetsPerSecond = Math.min(senderPacketsPerSecond, 500 / slotMs(link, smallPayloadBytes)) / paths;
  const wanted = lossRatio > 0 ? Math.ceil((166 * (1 - lossRatio)) / lossRatio) : 2000;
  const packets = Math.max(1, Math.min(wanted, Math.floor(packetsPerSecond * (lossRatio > 0 ? lossSeconds : 0.5))));
  return { payloadBytes: smallPayloadBytes, packets, everyUs: Math.ceil(1e6 / packetsPerSecond) };
}
