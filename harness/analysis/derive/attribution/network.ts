/** Judges gaps whose cause lies in the network: the bottleneck queue, the rest of the path, or lost packets. */
import { counted } from '../../../../core/text/counted.ts';
import { dropReasons } from '../../../../core/vocabulary/drop-reason.ts';
import type { FrameLine, LastCopy } from '../timeline/frame-line.ts';
import { type Delay, type Evidence, hostDelay, receiverDelay, senderDelay } from './evidence.ts';
import type { Finding } from './finding.ts';
import { bps, ms, share } from './sentences.ts';
import type { Surroundings } from './surroundings.ts';
import { tunnelDelay, tunnelDrop } from './tunnel.ts';

/**
 * Share of the planned rate. The bottleneck has lost capacity if it carries less than this share while packets wait.
 */
const capacityRatio = 0.5;
/**
 * Limits of a retransmission's delay, in round trips and in ms. A retransmission is late if it was sent more than this
 * long after the browser could detect the loss.
 */
const lateRoundTrips = 3;
const lateMs = 100;

const lossCauses = {
  overflow: 'overflow-loss',
  'random-loss': 'random-loss',
  aqm: 'aqm-loss',
  other: 'repair',
} as const;
export const lossWords = {
  overflow: 'by the full queue',
  'random-loss': 'by random loss',
  aqm: 'by the AQM',
  other: 'at the bottleneck for another reason',
} as const;

/** An earlier moment, in ms and in words, since which the highest rate of the link counts. */
type Since = { sinceMs: number; words: string };

/** Moment at which the last frame before the gap was captured. */
const sinceCapture = ({ blocking: { before } }: Evidence): Since => ({
  sinceMs: before.captureMs,
  words: `the capture of frame ${before.frame}`,
});

/**
 * Returns a finding that a bottleneck failed between two moments, or that its rate fell as planned. Null if it carried
 * its rate, or if the record does not show the carried rate. `hop`: place of the bottleneck in the row.
 */
export function lostCapacity(
  surroundings: Surroundings,
  { fromMs, toMs }: Delay['gap'],
  { sinceMs, words }: Since,
  hop: number | undefined,
): (Finding & { cause: 'rate-change' | 'outage' }) | null {
  const carried = surroundings.carried(fromMs, toMs, sinceMs, hop);
  if (carried === null || carried.ratio >= capacityRatio) return null;
  const told = `meanwhile ${surroundings.bottleneck(hop)} carried ${bps(carried.bps)} of all traffic`;
  // the trace sets the time of each packet, and the link's program followed the trace on time
  if (carried.scheduledBps === null) {
    return {
      cause: 'rate-change',
      evidence:
        `${told}, ${share(carried.ratio)} of the most that it carried in any tenth of a second of the trial; ` +
        'its trace sets when packets pass',
    };
  }
  if (carried.bps >= capacityRatio * carried.scheduledBps) {
    return {
      cause: 'rate-change',
      evidence:
        `${told}, ${share(carried.bps / carried.scheduledBps)} of the ${bps(carried.scheduledBps)} that its schedule ` +
        `set and ${share(carried.ratio)} of the highest rate since ${words}`,
    };
  }
  return {
    cause: 'outage',
    evidence: `${told}, ${share(carried.ratio)} of its rate, with packets waiting`,
  };
}

/**
 * Returns the end of the evidence sentence if a delay of the link or of the machine explains the gap; null otherwise.
 * `inQueue`: time in which a packet was in the bottleneck queue.
 */
function linkDelay({ gap, addedMs, surroundings }: Delay, inQueue: Delay['gap']): string | null {
  return hostDelay(addedMs, [
    { who: 'the link', delayMs: surroundings.linkStoppedMs(inQueue.fromMs, inQueue.toMs) },
    { who: 'a thread that only sleeps', delayMs: surroundings.machineDelayMs(gap.fromMs, gap.toMs) },
  ]);
}

/**
 * Judges a wait in the queue of a bottleneck. `queue`: what the log has of the packet. `inQueue`: time in which it
 * waited. `what`: words for what waited. `usual`: end of the sentence, on the usual wait.
 */
export function waitFinding(
  delay: Delay,
  { packets, hop }: NonNullable<LastCopy['queue']>,
  inQueue: Delay['gap'],
  { what, usual }: { what: string; usual: string },
  since: Since,
): Finding & { cause: 'link-host' | 'rate-change' | 'outage' | 'queue' } {
  const { surroundings } = delay;
  const { fromMs, toMs } = inQueue;
  const name = surroundings.bottleneck(hop);
  const where = name === 'the link' ? 'in the bottleneck queue' : `at the bottlenecks, longest in the queue of ${name}`;
  const waited = `${what} waited ${ms(toMs - fromMs)} ${where} behind ${counted(packets, 'packet')}, ${usual}`;
  const host = linkDelay(delay, inQueue);
  if (host !== null) return { cause: 'link-host', evidence: `${waited}; ${host}` };
  const outage = lostCapacity(surroundings, inQueue, since, hop);
  if (outage !== null) return { ...outage, evidence: `${waited}; ${outage.evidence}` };
  const carried = surroundings.carried(fromMs, toMs, since.sinceMs, hop);
  return {
    cause: 'queue',
    evidence: `${waited}${carried === null ? '' : `; ${name} carried ${bps(carried.bps)}, ${share(carried.ratio)} of its rate`}`,
  };
}

export function queueFinding(evidence: Evidence): Finding {
  const {
    blocking: { next, before },
    gap,
  } = evidence;
  const queue = next!.last!.queue!;
  const inQueue = { fromMs: queue.offeredMs, toMs: Math.min(queue.offeredMs + queue.sojournMs, gap.toMs) };
  const usual = `the previous frame ${ms(before.last?.queue?.sojournMs ?? 0)}`;
  return waitFinding(evidence, queue, inQueue, { what: `frame ${next!.frame}`, usual }, sinceCapture(evidence));
}

/**
 * Times that a frame's last packet spent before and behind the bottleneck, ms. The time behind the bottleneck ends at
 * `untilMs` at the latest. Undefined if the packet was not seen at the bottleneck.
 */
function aroundQueueMs(last: LastCopy | null, untilMs: number): { beforeMs: number; behindMs: number } | undefined {
  if (last?.queue == null) return undefined;
  const { offeredMs, sojournMs } = last.queue;
  return { beforeMs: offeredMs - last.sentMs, behindMs: Math.min(last.arrivedMs, untilMs) - offeredMs - sojournMs };
}

/**
 * Judges a gap to which the path outside the queue added most. The sender's host and the configured delays lie before
 * the queue; only the receiver lies behind the queue.
 */
export function wireFinding(evidence: Evidence): Finding {
  const {
    addedMs,
    blocking: { next, before },
    logged,
    hasQueueLog,
    gap,
    surroundings,
  } = evidence;
  const last = next!.last;
  // with a tunnel, the queue log has the packets of the tunnel and not those of the media
  const tunnel = tunnelDelay(
    surroundings,
    { fromMs: last?.sentMs ?? next!.lastSentMs, toMs: gap.toMs },
    addedMs,
    `frame ${next!.frame} took ${ms(addedMs)} longer through the tunnel than the previous frame`,
  );
  if (tunnel !== null) return tunnel;
  if (!hasQueueLog) {
    return {
      cause: 'unknown',
      evidence:
        `frame ${next!.frame} took ${ms(addedMs)} longer from sender to browser than the previous frame; ` +
        'without a queue log it is unknown whether it waited in the queue',
    };
  }
  if (last?.queue == null) {
    return {
      cause: 'unknown',
      evidence: `frame ${next!.frame} did not reach the bottleneck in time, and the record does not show why`,
    };
  }
  // an earlier frame shows the constant delay of the path
  const usual = aroundQueueMs(logged?.last ?? null, Infinity);
  if (usual === undefined) {
    return {
      cause: 'unknown',
      evidence:
        `frame ${next!.frame} took ${ms(addedMs)} longer on its path than the previous frame; ` +
        'the queue log has no earlier frame to say where',
    };
  }
  const other = logged!.frame === before.frame ? 'the previous frame' : `frame ${logged!.frame}`;
  const { beforeMs, behindMs } = aroundQueueMs(last, gap.toMs)!;
  if (beforeMs - usual.beforeMs > behindMs - usual.behindMs) {
    const late = `frame ${next!.frame} took ${ms(beforeMs)} from the sender to the bottleneck, ${other} ${ms(usual.beforeMs)}`;
    const host = senderDelay(evidence);
    return host === null
      ? { cause: 'unknown', evidence: `${late}, and the record does not show why` }
      : { cause: 'sender-host', evidence: `${late}; ${host}` };
  }
  const late =
    `the browser received frame ${next!.frame} ${ms(behindMs)} after it had left the bottleneck, ` +
    `${other} ${ms(usual.behindMs)}; the delay of the path itself is the same for both`;
  const host = receiverDelay(evidence);
  return host === null
    ? { cause: 'browser', evidence: `${late}; its page's timers were in time` }
    : { cause: 'receiver-host', evidence: `${late}; ${host}` };
}

/** Returns the most frequent reason for which packets of a frame were lost, and their number; undefined if unknown. */
function mainReason(
  { dropped }: FrameLine,
  behindIsRandom: boolean,
): { reason: keyof typeof lossCauses; packets: number } | undefined {
  const packets = dropReasons.map(reason => ({
    reason,
    packets: dropped[reason] + (reason === 'random-loss' && behindIsRandom ? dropped.behind : 0),
  }));
  const most = packets.reduce((a, b) => (b.packets > a.packets ? b : a));
  return most.packets === 0 ? undefined : most;
}

/** Returns words on the place and the reason of the loss of a frame's packets. */
export function lossWordsOf(frame: FrameLine, behindIsRandom: boolean): string {
  const main = mainReason(frame, behindIsRandom);
  const lost = `${counted(frame.lost, 'packet')} of frame ${frame.frame} ${frame.lost === 1 ? 'was' : 'were'} lost`;
  if (main === undefined) return lost;
  return `${lost}, ${main.packets === frame.lost ? '' : `${main.packets} `}${lossWords[main.reason]}`;
}

/**
 * Judges a gap that waited for lost packets to be sent again. The cause is the reason of the loss, or the repair itself
 * if the retransmission was late without another reason.
 */
export function repairFinding(evidence: Evidence): Finding {
  const {
    addedMs,
    blocking: { next },
    gap,
    surroundings,
    hasQueueLog,
  } = evidence;
  const frame = next!;
  const { loss, repairs } = frame;
  const lost = lossWordsOf(frame, surroundings.losesBehindQueue);
  const again =
    repairs === null
      ? 'none was sent again'
      : `${counted(repairs.packets, 'retransmission')}${repairs.lost === 0 ? '' : `, ${repairs.lost} lost as well`}`;
  const words = `${lost}; repair added ${ms(addedMs)} to its time from sender to browser (${again})`;
  const outage =
    loss === null
      ? null
      : lostCapacity(
          surroundings,
          { fromMs: loss.sentMs, toMs: Math.min(loss.seenMs ?? gap.toMs, gap.toMs) },
          sinceCapture(evidence),
          loss.hop,
        );
  if (frame.dropped.overflow > 0 && outage !== null) return { ...outage, evidence: `${words}; ${outage.evidence}` };
  const tunnel = tunnelDrop(surroundings, { fromMs: frame.firstSentMs, toMs: gap.toMs }, words);
  if (tunnel !== null) return tunnel;
  const waitMs = loss?.seenMs == null || repairs === null ? 0 : repairs.firstSentMs - loss.seenMs;
  const roundTripMs = loss === null ? null : surroundings.roundTripMs(loss.sentMs);
  if (waitMs > addedMs / 2 && waitMs > Math.max(lateMs, lateRoundTrips * (roundTripMs ?? 0))) {
    return {
      cause: 'repair',
      evidence:
        `${words}; the first left ${ms(waitMs)} after the browser could detect the loss` +
        `${roundTripMs === null ? '' : `, at a round-trip time of ${ms(roundTripMs)}`}`,
    };
  }
  const main = mainReason(frame, surroundings.losesBehindQueue);
  if (main === undefined)
    return {
      cause: 'repair',
      evidence: `${words}; ${hasQueueLog ? 'the queue log does not show where' : 'without a queue log it is unknown where'}`,
    };
  return { cause: lossCauses[main.reason], evidence: words };
}
