/**
 * Plans of the probes that measure a link precisely in a short time: about ten seconds in all at usual rates.
 *
 * If a queue's limit counts packets and it holds seconds of full packets, it is tested with smaller ones. It then fills
 * and drains sooner, with the same limit.
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
/** Longest time for the idle probes, ms; at least a tenth of them are sent. */
const idleProbesMs = 2000;
/** Longest serialisation time at a bottleneck that does not show in another probe's delay, ms. */
const unseenSlotMs = 0.05;
/** Full train, if queue and rate allow it. */
export const wholeTrain = { trainPackets: 20, payloadBytes: fullPayloadBytes } as const;
const trains = 20;
/** Idle time of the link before a train, ms. */
const idleMs = 100;
/** A shorter train does not show a rate. */
const fewestTrainPackets = 5;
/** Longest time for all trains, ms. */
const trainsMs = 3000;
/** Probes of each size for the serialisation test, and gaps of each length of train. */
const serialisationProbes = 200;
const serialisationGaps = 100;
/** Longest time for one size or one length, ms, and smallest number of probes and trains. */
const serialisationMs = 400;
const fewestProbes = 10;
const fewestTrains = 3;
/** IP lengths of those probes, and packets of those trains. */
const serialisationIpBytes = [1500, 600, 100] as const;
const serialisationTrains = [2, 3, 10] as const;
/** Shortest interval of two probes or trains, ms. */
const shortestRestMs = 2;
/** Offered load of the overload, relative to the rate. */
export const overloadFactor = 1.15;
const overloadSeconds = 2;
/** Longest time for a full queue to drain before smaller packets are used, ms. */
const drainMs = 1500;
/** Longest time for a queue to drain, ms; a queue that needs longer is not tested for its limit. */
const longestDrainMs = 10_000;
/** Packets ahead in a queue whose limit must not be reached. */
const headStartPackets = 20;
/**
 * Longest serialisation time of a packet of an overload, ms, so that two seconds have many packets; shorter if a
 * discipline must act.
 */
const longestSlotMs = 25;
const managedSlotMs = 10;
/** Largest packet rate of a sender, packets per second, and longest time of the loss test, s. */
const senderPacketsPerSecond = 10_000;
const lossSeconds = 2;
export type IdlePlan = { payloadBytes: number; packets: number; everyUs: number };

/** Rate of the bottleneck of each path that has one, bit/s. */
const pathRatesBps = (link: PreflightLink) =>
  link.paths.flatMap(({ shaped, otherRateBps }) => (shaped ? [link.rateBps] : (otherRateBps ?? [])));

/**
 * True if probes of two paths may meet at a bottleneck and delay each other; they are then sent in turn. On a fast link
 * the delay is too short to matter.
 */
export function canOverlap(link: PreflightLink): boolean {
  const rates = pathRatesBps(link);
  return (
    new Set(rates).size < rates.length &&
    rates.some(rateBps => slotMs({ ...link, rateBps }, smallPayloadBytes) > unseenSlotMs)
  );
}

/** Probe intervals that leave three quarters of the link idle, for all paths that send at the same time. */
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

/** Null if no train fits into the queue, the discipline acts on every train, or the link is too fast for a sender. */
export function trainPlan(link: PreflightLink): TrainPlan | null {
  if (link.rateBps > fastestBps) return null;
  const train = quietTrain(link, { most: wholeTrain.trainPackets, fewest: fewestTrainPackets, trains, restMs: idleMs });
  if (train === null) return null;
  const everyMs = trainEveryMs(link, train, idleMs);
  return { ...train, trains: Math.max(3, Math.min(trains, Math.floor(trainsMs / everyMs))), everyMs };
}

/** Plans sent one after another, so that no size waits behind another. */
export type SerialisationPlan = { idle: IdlePlan[]; trains: TrainPlan[] };

/** Null if the link is too fast for a sender. Trains that do not fit, or that the discipline acts on, are left out. */
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
  /** Packets that fill the queue; null if the limit is not tested. */
  plateauPackets: number | null;
  /** Milliseconds from the first packet until the queue should be full. */
  settleMs: number;
  /** Milliseconds for the full queue to drain. */
  drainMs: number;
};

/** Null if the link is too fast for a sender. */
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
 * Number of packets for which the 99 % interval of their losses is within 20 % of the ratio, n = 166 (1 - p) / p. It is
 * bounded by two seconds of half the link, shared by `paths` paths. Without loss: 2000 in half a second.
 */
export function lossPlan(link: PreflightLink, lossRatio: number, paths: number): LossPlan {
  const packetsPerSecond = Math.min(senderPacketsPerSecond, 500 / slotMs(link, smallPayloadBytes)) / paths;
  const wanted = lossRatio > 0 ? Math.ceil((166 * (1 - lossRatio)) / lossRatio) : 2000;
  const packets = Math.max(1, Math.min(wanted, Math.floor(packetsPerSecond * (lossRatio > 0 ? lossSeconds : 0.5))));
  return { payloadBytes: smallPayloadBytes, packets, everyUs: Math.ceil(1e6 / packetsPerSecond) };
}
