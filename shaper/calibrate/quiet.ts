/**
 * Choice of trains on which a discipline does not act. A train has the requested length if possible; otherwise it is
 * shorter, or its packets are smaller.
 */
import { underLaw } from './laws/queue.ts';
import type { PreflightLink } from './link.ts';
import { countedBytes, fullPayloadBytes, lineRatePackets, roomPackets, slotMs, smallPayloadBytes } from './packets.ts';

/**
 * Largest `danger` of a train (laws/law.ts). The margin to 1 is for packets that a busy machine sends late, which
 * increases the danger.
 */
const safeDanger = 0.8;
const payloads = [fullPayloadBytes, 972, 472, 222, 104, 56, smallPayloadBytes] as const;
/** Smallest number of packets that a train must have after the packets at line rate. */
const fewestSteady = 3;

type Train = { payloadBytes: number; trainPackets: number };

type WantedTrains = {
  /** Largest and smallest number of packets of a train. */
  most: number;
  fewest: number;
  /** Number of trains, and idle time between two of them, ms. */
  trains: number;
  restMs: number;
};

/** Returns the arrival times of the packets of all trains, ms; the packets of one train have the same time. */
function trainTimesMs(link: PreflightLink, { payloadBytes, trainPackets }: Train, wanted: WantedTrains): number[] {
  const everyMs = trainEveryMs(link, { payloadBytes, trainPackets }, wanted.restMs);
  return Array.from({ length: wanted.trains * trainPackets }, (_, k) => Math.floor(k / trainPackets) * everyMs);
}

/** Returns the time from the start of one train to the start of the next, ms. */
export function trainEveryMs(link: PreflightLink, { payloadBytes, trainPackets }: Train, restMs: number): number {
  return trainPackets * slotMs(link, payloadBytes) * 1.1 + restMs;
}

/** Returns true if the discipline drops no packet of these trains. */
function isQuiet(link: PreflightLink, train: Train, wanted: WantedTrains): boolean {
  const { law } = link.discipline;
  if (law === null) return false;
  if (law.kind === 'tail') return true;
  const size = {
    slotMs: slotMs(link, train.payloadBytes),
    countedBytes: countedBytes(link, train.payloadBytes),
    largestBytes: countedBytes(link, fullPayloadBytes),
  };
  return underLaw(law, size, trainTimesMs(link, train, wanted)).danger <= safeDanger;
}

/**
 * Returns the train with the largest payload on which the discipline does not act, with at least half of the wanted
 * packets if possible; null if there is no such train.
 */
export function quietTrain(link: PreflightLink, wanted: WantedTrains): Train | null {
  const { most, fewest } = wanted;
  const half = Math.max(fewest, Math.ceil(most / 2));
  for (const least of half > fewest ? [half, fewest] : [fewest]) {
    for (const payloadBytes of payloads) {
      const together = lineRatePackets(countedBytes(link, payloadBytes), link.bucketBytes);
      // small packets all leave a token bucket at line rate
      const isBucket = link.bucketBytes > 0 && payloadBytes < fullPayloadBytes;
      const shortest = isBucket ? Math.max(least, together + fewestSteady) : least;
      for (let packets = Math.min(most, roomPackets(link, payloadBytes)); packets >= shortest; packets--) {
        const train = { payloadBytes, trainPackets: packets };
        if (isQuiet(link, train, wanted)) return train;
      }
    }
  }
  return null;
}
