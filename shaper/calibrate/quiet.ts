/**
 * Trains that a discipline leaves alone: as long as asked for where it allows that, else shorter ones, or of smaller
 * packets.
 */
import { underLaw } from './laws/queue.ts';
import type { PreflightLink } from './link.ts';
import { countedBytes, fullPayloadBytes, lineRatePackets, roomPackets, slotMs, smallPayloadBytes } from './packets.ts';

/** Of the way to the first drop: a packet that a busy machine sends late may bring it nearer. */
const safeDanger = 0.8;
/** Payloads that are tried, bytes. */
const payloads = [fullPayloadBytes, 972, 472, 222, 104, 56, smallPayloadBytes] as const;
/** Packets of a train that must be left once those are gone that leave at line rate. */
const fewestSteady = 3;

type Train = { payloadBytes: number; trainPackets: number };

type WantedTrains = {
  /** Packets of a train at best, and at least. */
  most: number;
  fewest: number;
  /** Trains, and what is between two of them beside their own time, ms. */
  trains: number;
  restMs: number;
};

/** When the packets of all trains come, ms: those of a train at once. */
function trainTimesMs(link: PreflightLink, { payloadBytes, trainPackets }: Train, wanted: WantedTrains): number[] {
  const everyMs = trainEveryMs(link, { payloadBytes, trainPackets }, wanted.restMs);
  return Array.from({ length: wanted.trains * trainPackets }, (_, k) => Math.floor(k / trainPackets) * everyMs);
}

/** From one train to the next, ms. */
export function trainEveryMs(link: PreflightLink, { payloadBytes, trainPackets }: Train, restMs: number): number {
  return trainPackets * slotMs(link, payloadBytes) * 1.1 + restMs;
}

/** Whether the discipline drops no packet of these trains. */
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

/** Full packets where they do, else the largest; at least half of the packets wanted where that is possible. */
export function quietTrain(link: PreflightLink, wanted: WantedTrains): Train | null {
  const { most, fewest } = wanted;
  const half = Math.max(fewest, Math.ceil(most / 2));
  for (const least of half > fewest ? [half, fewest] : [fewest]) {
    for (const payloadBytes of payloads) {
      const together = lineRatePackets(countedBytes(link, payloadBytes), link.bucketBytes);
      // small packets leave a token bucket at line rate, all of them
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
