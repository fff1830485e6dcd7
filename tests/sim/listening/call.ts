/**
 * A voice in virtual time: what becomes of each frame of it from the mouth to the jitter buffer of the listener, over a
 * bottleneck with other traffic and with faults. The same options give the same call.
 */
import { type Random, seededRandom } from '../../../core/random.ts';
import { startMs } from '../../unit/harness/support/record.ts';
import { Bottleneck, type DropReason, isIn, type Span } from '../viewing/bottleneck.ts';

/**
 * A fault. `stops`: the part that does nothing in the span, and does it in the end; `arrival` is the way from the queue
 * to the jitter buffer, `receiver` this way and playing; `buffer` throws away what comes in the span. `told`: the series that tells the stop. `loses`: frames of the span that are lost at
 * random. `delayMs`: what the frames of the span take longer on the path. `blast`: bytes of somebody else that come at once.
 * `flood`: what somebody else sends in the span, as a multiple of the link's rate. `slowBps`: rate of the link in the span,
 * by its schedule if `isPlanned`.
 */
export type Fault = {
  span: Span;
  stops?: 'sender' | 'path' | 'link' | 'arrival' | 'receiver' | 'playout' | 'buffer';
  told?: 'sender' | 'page' | 'host' | 'link';
  loses?: (frame: number) => boolean;
  delayMs?: number;
  blast?: number;
  flood?: number;
  slowBps?: number;
  isPlanned?: boolean;
};

export type CallOptions = {
  seed: number;
  lengthMs: number;
  faults: readonly Fault[];
  frameMs: number;
  /** Number of earlier frames that each packet repeats. */
  red: number;
  /** True: each packet has a copy of the frame before it. */
  fec: boolean;
  rateBps: number;
  queueBytes: number;
  fullReason: DropReason;
  lossPlace: 'before' | 'after';
  /** Traffic of others, as a share of the link's rate. */
  load: number;
  pathMs: number;
  /** Time that the jitter buffer of the listener keeps of the voice. */
  targetMs: number;
  /** The media server's clock is behind by this. */
  serverBehindMs: number;
};

export type CallFrame = {
  spokenMs: number;
  sentMs: number;
  offeredMs: number;
  /** Time in the queue, ms, and packets that it found there; null if it was dropped there. */
  queue: { sojournMs: number; packets: number } | null;
  dropped: DropReason | null;
  /** When the listener's browser took it; null if it was lost. */
  arrivedMs: number | null;
};

/** Time before the window at which the voice begins, ms. */
export const leadMs = 3000;
/** Bytes of a packet of the voice, and of others. */
const [voiceBytes, fullBytes, floodBytes] = [150, 1514, 150];
/** Range of the time that a packet takes from the sender's timer to the wire, and behind the queue, ms. */
const [timerMs, wireMs] = [2, 0.5];

/** Traffic of others: a part that comes evenly at random, and what the faults add. */
function othersOf({ lengthMs, faults, rateBps, load }: CallOptions, random: Random) {
  const arrivals: { atMs: number; bytes: number }[] = [];
  const meanMs = (fullBytes * 8000) / (load * rateBps);
  const waitMs = () => -meanMs * Math.log(1 - random.next());
  for (let atMs = startMs - leadMs; atMs < startMs + lengthMs; atMs += waitMs())
    arrivals.push({ atMs, bytes: fullBytes });
  for (const { span, blast, flood } of faults) {
    if (blast !== undefined) arrivals.push({ atMs: span.fromMs, bytes: blast });
    if (flood === undefined) continue;
    const everyMs = (floodBytes * 8000) / (flood * rateBps);
    for (let atMs = span.fromMs; atMs < span.toMs; atMs += everyMs) arrivals.push({ atMs, bytes: floodBytes });
  }
  return arrivals;
}

/** When something happens that would happen at `ms` in a part that may be stopped. */
function unstopped(ms: number, parts: readonly Fault['stops'][], faults: readonly Fault[]): number {
  return faults.find(({ stops, span }) => parts.includes(stops) && isIn(span, ms))?.span.toMs ?? ms;
}

export class Call {
  readonly options: CallOptions;
  readonly frames: CallFrame[];
  readonly bottleneck: Bottleneck;

  constructor(options: CallOptions) {
    const { seed, lengthMs, faults, frameMs, rateBps, queueBytes, fullReason, lossPlace, pathMs } = options;
    const random = seededRandom(seed);
    this.options = options;
    this.bottleneck = new Bottleneck({
      rateBps,
      queueBytes,
      fullReason,
      outages: faults.filter(({ stops }) => stops === 'link').map(({ span }) => span),
      slow: faults.flatMap(({ span, slowBps }) => (slowBps === undefined ? [] : [{ ...span, rateBps: slowBps }])),
      untilMs: startMs + lengthMs,
    });
    let lastMs = 0;
    this.frames = Array.from({ length: Math.floor((lengthMs + leadMs) / frameMs) }, (_, k) => {
      const spokenMs = startMs - leadMs + k * frameMs;
      const sentMs = unstopped(spokenMs + frameMs, ['sender'], faults) + timerMs * random.next() ** 4;
      const delayMs = faults.find(({ span, delayMs }) => delayMs !== undefined && isIn(span, sentMs))?.delayMs ?? 0;
      // nothing overtakes on the path
      lastMs = Math.max(lastMs + 0.01, unstopped(sentMs + pathMs, ['path'], faults) + delayMs);
      return { spokenMs, sentMs, offeredMs: lastMs, queue: null, dropped: null, arrivedMs: null };
    });
    const arrivals = [
      ...othersOf(options, random).map(other => ({ ...other, frame: undefined })),
      ...this.frames.map((frame, k) => ({ atMs: frame.offeredMs, bytes: voiceBytes, frame: { ...frame, k } })),
    ].sort((a, b) => a.atMs - b.atMs);
    for (const { atMs, bytes, frame } of arrivals) {
      if (frame === undefined) {
        this.bottleneck.offer('flooder', bytes, atMs);
        continue;
      }
      const own = this.frames[frame.k]!;
      const isLost = faults.some(({ span, loses }) => isIn(span, own.sentMs) && loses?.(frame.k) === true);
      if (isLost && lossPlace === 'before') {
        own.dropped = 'random-loss';
        continue;
      }
      const fate = this.bottleneck.offer('server', bytes, atMs);
      if (fate.dropped !== null) {
        own.dropped = fate.dropped;
        continue;
      }
      own.queue = { sojournMs: fate.sojournMs, packets: fate.queuePackets };
      if (!isLost) own.arrivedMs = unstopped(fate.leftMs + wireMs * random.next(), ['arrival', 'receiver'], faults);
    }
  }
}
