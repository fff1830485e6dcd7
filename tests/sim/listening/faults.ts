/** Kinds of faults of a call, and the causes that interruptions by them have. */
import { type Random, seededRandom } from '../../../core/random.ts';
import { burstFrames, type InterruptionCause } from '../../../core/vocabulary/interruption.ts';
import { startMs } from '../../unit/harness/support/record.ts';
import type { Call, CallOptions, Fault } from './call.ts';

/** Time of the first fault in a window, from one fault to the next, and how much later each may be, ms. */
const [firstFaultMs, betweenFaultsMs, strayMs] = [3000, 5500, 2000];

export type Kind = {
  what: string;
  /** Causes that are right. `lost`: frames that were due in the interruption and were lost. */
  expected: readonly InterruptionCause[] | ((missing: readonly number[], call: Call) => InterruptionCause);
  /** Options of a call that can have the fault. */
  needs?: (random: Random) => Partial<CallOptions>;
  fault(span: Fault['span'], random: Random, options: Pick<CallOptions, 'rateBps' | 'frameMs'>): Omit<Fault, 'span'>;
  /** Least and greatest length, ms; otherwise the usual ones. */
  lengthMs?: readonly [number, number];
};

const usualLengthMs = [220, 900] as const;
const between = (random: Random, [least, most]: readonly [number, number]) => least + (most - least) * random.next();
const bytesIn = (ms: number, rateBps: number) => (ms * rateBps) / 8000;

/** A queue of some tens of ms, so that what a flood does is loss and not delay. */
const smallQueue = (random: Random) => {
  const rateBps = between(random, [3e6, 10e6]);
  return { rateBps, queueBytes: Math.max(6000, bytesIn(between(random, [15, 30]), rateBps)), red: 0, fec: false };
};

/** Draws once for each frame. */
function once(draw: () => boolean): (frame: number) => boolean {
  const drawn = new Map<number, boolean>();
  return frame => {
    if (!drawn.has(frame)) drawn.set(frame, draw());
    return drawn.get(frame)!;
  };
}

/** The definition of a burst, by what the call did: frames in a row that were lost. */
function randomLossCause(missing: readonly number[], { frames }: Call): InterruptionCause {
  let run = 0;
  const isBurst = missing.some((k, i) => {
    const isLost = frames[k]?.dropped === 'random-loss';
    run = !isLost ? 0 : missing[i - 1] === k - 1 ? run + 1 : 1;
    return run >= burstFrames;
  });
  return isBurst ? 'burst-loss' : 'random-loss';
}

export const kinds: readonly Kind[] = [
  {
    what: 'a queue filled at once',
    expected: ['queue'],
    fault: ({ fromMs, toMs }, _, { rateBps }) => ({ blast: bytesIn(toMs - fromMs, rateBps) }),
  },
  {
    what: 'a queue that grows',
    expected: ['queue'],
    fault: (_, random) => ({ flood: between(random, [1.2, 2.2]) }),
    lengthMs: [300, 800],
  },
  {
    what: 'a small queue that a flood keeps full',
    expected: ['overflow-loss'],
    needs: smallQueue,
    fault: (_, random) => ({ flood: between(random, [6, 12]) }),
  },
  {
    what: 'an AQM that drops what a flood sends',
    expected: ['aqm-loss'],
    needs: random => ({ ...smallQueue(random), fullReason: 'aqm' }),
    fault: (_, random) => ({ flood: between(random, [6, 12]) }),
  },
  {
    what: 'a burst of loss before the queue',
    expected: ['burst-loss'],
    fault: () => ({ loses: () => true }),
    lengthMs: [220, 700],
  },
  {
    what: 'five packets lost in a row',
    expected: ['burst-loss'],
    needs: random => ({ frameMs: random.next() < 0.5 ? 40 : 60 }),
    fault: () => ({ loses: () => true }),
    lengthMs: [0, 0],
  },
  {
    what: 'a burst of loss behind the queue',
    expected: ['burst-loss'],
    needs: () => ({ lossPlace: 'after' }),
    fault: () => ({ loses: () => true }),
    lengthMs: [220, 700],
  },
  {
    what: 'independent random loss',
    expected: randomLossCause,
    needs: () => ({ frameMs: 20, red: 0, fec: false }),
    fault: (_, random) => {
      const ratio = between(random, [0.55, 0.7]);
      return { loses: once(() => random.next() < ratio) };
    },
    lengthMs: [1500, 2500],
  },
  {
    what: 'two of three frames lost at random, and the third not played',
    expected: ['random-loss'],
    needs: () => ({ frameMs: 20, red: 0, fec: false }),
    fault: () => ({ loses: frame => frame % 3 !== 0, stops: 'buffer' }),
    lengthMs: [300, 700],
  },
  {
    what: 'lost frames whose copies came too late',
    expected: ['repair'],
    needs: () => ({ frameMs: 20, red: 2 }),
    fault: ({ fromMs, toMs }) => ({ loses: frame => frame % 3 !== 0, delayMs: 0.8 * (toMs - fromMs) }),
    lengthMs: [350, 700],
  },
  { what: 'an outage', expected: ['outage'], fault: () => ({ stops: 'link' }) },
  {
    what: 'a link that loses its capacity',
    expected: ['outage'],
    fault: (_, random) => ({ slowBps: between(random, [5e4, 2e5]) }),
    lengthMs: [300, 700],
  },
  {
    what: 'a rate that the schedule lowers',
    expected: ['rate-change'],
    fault: (_, random) => ({ slowBps: between(random, [1e5, 3e5]), isPlanned: true }),
    lengthMs: [400, 900],
  },
  {
    what: "the sender's process stopped",
    expected: ['sender-host'],
    fault: () => ({ stops: 'sender', told: 'sender' }),
  },
  {
    what: 'a hog that starves the sender',
    expected: ['sender-host'],
    fault: () => ({ stops: 'sender', told: 'host' }),
  },
  { what: 'the encoder late', expected: ['encoder'], fault: () => ({ stops: 'sender' }) },
  { what: 'the path held up', expected: ['unknown'], fault: () => ({ stops: 'path' }) },
  {
    what: 'the bottleneck stopped',
    expected: ['link-host'],
    fault: () => ({ stops: 'link', told: 'link' }),
  },
  {
    what: 'a hog that starves the bottleneck',
    expected: ['link-host'],
    fault: () => ({ stops: 'link', told: 'host' }),
  },
  {
    what: 'the browser stopped',
    expected: ['receiver-host'],
    fault: () => ({ stops: 'receiver', told: 'page' }),
  },
  {
    what: 'a hog that starves the browser',
    expected: ['receiver-host'],
    fault: () => ({ stops: 'receiver', told: 'host' }),
  },
  { what: 'the browser late in taking packets', expected: ['browser'], fault: () => ({ stops: 'arrival' }) },
  { what: 'playing stopped', expected: ['jitter-buffer'], fault: () => ({ stops: 'playout' }), lengthMs: [200, 400] },
  { what: 'a jitter buffer that throws away', expected: ['jitter-buffer'], fault: () => ({ stops: 'buffer' }) },
  {
    what: 'playing stopped by a busy page',
    expected: ['receiver-host'],
    fault: () => ({ stops: 'playout', told: 'page' }),
    lengthMs: [200, 400],
  },
];

/** Options of a call with this many faults of one kind, at random places and of random lengths. */
export function callOf(kind: Kind, seed: number, faultCount: number): CallOptions {
  const random = seededRandom(seed);
  const rateBps = between(random, [3e6, 20e6]);
  const options = {
    seed,
    lengthMs: firstFaultMs + faultCount * betweenFaultsMs,
    frameMs: [10, 20, 20, 20, 40, 60][Math.floor(6 * random.next())]!,
    red: random.next() < 0.7 ? 0 : 1 + Math.floor(2 * random.next()),
    fec: random.next() < 0.5,
    rateBps,
    queueBytes: bytesIn(2500, rateBps),
    fullReason: 'overflow' as const,
    lossPlace: 'before' as const,
    load: between(random, [0.1, 0.6]),
    pathMs: between(random, [2, 80]),
    targetMs: between(random, [20, 120]),
    serverBehindMs: between(random, [-1000, 1000]),
    ...kind.needs?.(random),
  };
  const faults = Array.from({ length: faultCount }, (_, i): Fault => {
    const fromMs = startMs + firstFaultMs + i * betweenFaultsMs + strayMs * random.next();
    const lengthMs = Math.max(5 * options.frameMs, between(random, kind.lengthMs ?? usualLengthMs));
    const span = { fromMs, toMs: fromMs + lengthMs };
    return { span, ...kind.fault(span, random, options) };
  });
  return { ...options, faults };
}
