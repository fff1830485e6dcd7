/**
 * Judges interruptions of a voice whose frames came too late, by the part of their way that took most longer than for
 * the last frame heard before.
 */
import { counted } from '../../../../core/text/counted.ts';
import { type Delay, receiverDelay, senderDelay } from '../attribution/evidence.ts';
import { waitFinding } from '../attribution/network.ts';
import { ms } from '../attribution/sentences.ts';
import { tunnelDelay } from '../attribution/tunnel.ts';
import { type Missing, sinceBefore, type VoiceFinding } from './judges.ts';
import type { VoiceFrame } from './sent-frames.ts';

/**
 * Least time that a part has to add to be the cause, ms: the length of the blocks in which interruptions are found. The
 * browser follows smaller changes of the delay by stretching the voice.
 */
const leastMs = 20;

/** Parts of the way of a frame, in its order. `path`: all from sender to browser, without a queue log. */
type Part = 'sender' | 'to-queue' | 'queue' | 'behind' | 'path';
type Times = Partial<Record<Part, number>>;

/** Frame that lost most time in a part, the times of both frames there, and how much longer it took, ms. */
type Worst = { frame: VoiceFrame; part: Part; tookMs: number; usualMs: number; addedMs: number };

/** Returns the time of a frame in each part of its way up to a moment, ms. */
function timesOf({ spokenMs, sentMs, queue, arrivedMs }: VoiceFrame, hasQueue: boolean, untilMs: number): Times {
  const upTo = (fromMs: number, toMs: number) => Math.max(0, Math.min(toMs, untilMs) - fromMs);
  const sender = upTo(spokenMs, sentMs);
  if (!hasQueue || queue === null) return { sender, path: upTo(sentMs, arrivedMs) };
  const leftMs = queue.offeredMs + queue.sojournMs;
  return {
    sender,
    'to-queue': upTo(sentMs, queue.offeredMs),
    queue: upTo(queue.offeredMs, leftMs),
    behind: upTo(leftMs, arrivedMs),
  };
}

function worstOf(late: readonly VoiceFrame[], before: VoiceFrame, untilMs: number): Worst {
  const all = late.flatMap(frame => {
    const hasQueue = frame.queue !== null && before.queue !== null;
    const [own, usual] = [timesOf(frame, hasQueue, untilMs), timesOf(before, hasQueue, Infinity)];
    return (Object.keys(own) as Part[]).map(part => {
      const [tookMs, usualMs] = [own[part]!, usual[part]!];
      return { frame, part, tookMs, usualMs, addedMs: tookMs - usualMs };
    });
  });
  return all.reduce((a, b) => (b.addedMs > a.addedMs ? b : a));
}

export function lateFinding(missing: Missing, late: readonly VoiceFrame[]): VoiceFinding {
  const { before, gap } = missing;
  if (before === null)
    return {
      cause: 'unknown',
      evidence: `${counted(late.length, 'frame')} came too late, and the record has no earlier frame to say where`,
    };
  const worst = worstOf(late, before, gap.toMs);
  if (worst.addedMs < leastMs)
    return {
      cause: 'unknown',
      evidence:
        `${counted(late.length, 'frame')} came too late, and no part of their way took ${ms(leastMs)} longer than for ` +
        'the last frame heard before',
    };
  const place = `the frame spoken at ${((worst.frame.spokenMs - missing.originMs) / 1000).toFixed(2)} s`;
  const than = `the last frame heard before ${ms(worst.usualMs)}`;
  // the hold-up may lie before the gap, which begins when the buffered voice has been played
  const held = { gap: { fromMs: worst.frame.spokenMs, toMs: gap.toMs }, addedMs: worst.addedMs };
  const delay: Delay = { ...held, surroundings: missing.surroundings };
  switch (worst.part) {
    case 'sender':
      return senderFinding(`${place} was sent ${ms(worst.tookMs)} after it, ${than}`, delay);
    case 'to-queue': {
      const host = senderDelay(delay);
      const words = `${place} took ${ms(worst.tookMs)} from the sender to the bottleneck, ${than}`;
      return host === null
        ? { cause: 'unknown', evidence: `${words}, and the record does not show why` }
        : { cause: 'sender-host', evidence: `${words}; ${host}` };
    }
    case 'queue': {
      const queue = worst.frame.queue!;
      const inQueue = { fromMs: queue.offeredMs, toMs: queue.offeredMs + worst.tookMs };
      return waitFinding(delay, queue, inQueue, { what: place, usual: than }, sinceBefore(missing));
    }
    case 'behind': {
      const host = receiverDelay(delay);
      const words = `the browser received ${place} ${ms(worst.tookMs)} after it had left the bottleneck, ${than}`;
      return host === null
        ? { cause: 'browser', evidence: `${words}; its page's timers were in time` }
        : { cause: 'receiver-host', evidence: `${words}; ${host}` };
    }
    case 'path': {
      const words = `${place} took ${ms(worst.tookMs)} from sender to browser, ${than}`;
      const way = { fromMs: worst.frame.sentMs, toMs: gap.toMs };
      return (
        tunnelDelay(missing.surroundings, way, worst.addedMs, `${words}, through the tunnel`) ?? {
          cause: 'unknown',
          evidence: `${words}; ${missing.sent.hasQueueLog ? 'the queue log does not have it' : 'without a queue log it is unknown whether it waited in the queue'}`,
        }
      );
    }
  }
}

function senderFinding(words: string, delay: Delay): VoiceFinding {
  const host = senderDelay(delay);
  return host === null
    ? { cause: 'encoder', evidence: `${words}; the sender's timers were in time` }
    : { cause: 'sender-host', evidence: `${words}; ${host}` };
}
