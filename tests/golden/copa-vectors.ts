/**
 * What server/congestion/copa answers to made-up input, part by part and as a whole, for the Copa of the QUIC programs
 * (harness/quic/src/copa), which must answer the same. Run by itself it writes copa.json anew.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Random, seededRandom } from '../../core/random.ts';
import { plugin } from '../../server/congestion/copa/index.ts';
import { Mode } from '../../server/congestion/copa/mode.ts';
import { RoundTrips } from '../../server/congestion/copa/round-trips.ts';
import { Velocity } from '../../server/congestion/copa/velocity.ts';

const packetBytes = 1200;
/** With no hold of reports, and no shortest time for the standing round trip: as it is with acknowledgements. */
const atOnce = { standingWindow: 0, heavyLoss: 'ignore' as const };

function roundTrips(random: Random) {
  const trips = new RoundTrips({ minRttWindowMs: 10e3, standingWindowMs: 0, nearlyEmptyRatio: 0.1 });
  let nowMs = 0;
  return Array.from({ length: 400 }, (_, k) => {
    nowMs += 1 + Math.floor(random.next() * 60);
    // a queue that comes and goes, at last for longer than the minimum lasts
    const rttMs = 40 + Math.floor(random.next() * 10) + ((k > 50 && k < 90) || k > 150 ? 60 : 0);
    trips.add([{ sentMs: nowMs - rttMs, receivedMs: nowMs - 5 }], nowMs);
    return {
      nowMs,
      rttMs,
      minMs: trips.minMs,
      standingMs: trips.standingMs,
      smoothedMs: trips.loopMs,
      isNearlyEmpty: trips.isNearlyEmpty,
    };
  });
}

function velocity(random: Random) {
  const one = new Velocity();
  let [nowMs, windowPackets] = [0, 10];
  return Array.from({ length: 300 }, (_, k) => {
    nowMs += 5 + Math.floor(random.next() * 20);
    const wanted = k % 80 < 55 ? ('up' as const) : ('down' as const);
    one.update(wanted, windowPackets, 0.5, nowMs, 50);
    const step = { nowMs, rttMs: 50, delta: 0.5, wanted, windowPackets, value: one.value };
    windowPackets = Math.max(2, windowPackets + ((wanted === 'up' ? 1 : -1) * one.value) / 4);
    return step;
  });
}

function mode(random: Random) {
  const one = new Mode(0.5, true);
  let nowMs = 0;
  return Array.from({ length: 300 }, (_, k) => {
    nowMs += 5 + Math.floor(random.next() * 20);
    const [isNearlyEmpty, hasLoss] = [k % 100 < 20, random.next() < 0.1];
    one.update(isNearlyEmpty, hasLoss, nowMs, 50);
    return { nowMs, rttMs: 50, isNearlyEmpty, hasLoss, delta: one.delta, isCompetitive: one.isCompetitive };
  });
}

type Phase = { forMs: number; rttMs: number; isUsed?: boolean; lossEvery?: number };

/** An acknowledgement for each packet, one every 5 ms: the round trips of each phase, whatever the window. */
function window(phases: readonly Phase[]) {
  const controller = plugin.create({
    delta: 0.5,
    competitive: 'auto',
    minRttWindow: 10e3,
    nearlyEmpty: 0.1,
    pacingFactor: 2,
    ...atOnce,
  });
  // so that the first window has ten packets
  controller.onConstraints({ minBps: 1, startBps: (10 * packetBytes * 8000) / phases[0]!.rttMs, maxBps: 1e12 }, 0);
  const steps = [];
  let [nowMs, sequence] = [0, 0];
  for (const { forMs, rttMs, isUsed = true, lossEvery } of phases) {
    const endMs = nowMs + forMs;
    for (; nowMs < endMs; nowMs += 5) {
      const inFlightBytes = isUsed ? 1e9 : 0;
      const packet = () => ({
        sequence: sequence++,
        sentMs: nowMs - rttMs,
        sizeBytes: packetBytes,
        kind: 'media' as const,
        inFlightBytes,
      });
      const hasLoss = lossEvery !== undefined && Math.floor(nowMs / 5) % lossEvery === 0;
      controller.onPacketSent({ ...packet(), sentMs: nowMs });
      controller.onFeedback({
        arrivedMs: nowMs,
        inFlightBytes,
        packets: [...(hasLoss ? [{ ...packet(), receivedMs: null }] : []), { ...packet(), receivedMs: nowMs - 5 }],
      });
      const { windowPackets, velocityGain, inverseDeltaPackets, mode: name } = controller.trace();
      steps.push({
        nowMs,
        rttMs,
        isUsed,
        hasLoss,
        windowPackets,
        velocity: velocityGain,
        delta: 1 / Number(inverseDeltaPackets),
        mode: name,
      });
    }
  }
  return steps;
}

export const vectors = () => ({
  packetBytes,
  roundTrips: roundTrips(seededRandom(1)),
  velocity: velocity(seededRandom(2)),
  mode: mode(seededRandom(3)),
  windows: {
    'slow start, then a queue and its end': window([
      { forMs: 200, rttMs: 50 },
      { forMs: 600, rttMs: 90 },
      { forMs: 600, rttMs: 50 },
    ]),
    'a queue that never empties, with losses': window([
      { forMs: 200, rttMs: 50 },
      { forMs: 100, rttMs: 60 },
      { forMs: 1500, rttMs: 56, lossEvery: 40 },
    ]),
    'a window that is not used': window([
      { forMs: 200, rttMs: 50 },
      { forMs: 200, rttMs: 90 },
      { forMs: 400, rttMs: 50, isUsed: false },
    ]),
  },
});

export const text = (): string => `${JSON.stringify(vectors())}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('copa.json', import.meta.url), text());
