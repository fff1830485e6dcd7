/** Judges interruptions of a voice whose frames were not sent, were lost, or were there and not played. */
import { counted } from '../../../../core/text/counted.ts';
import { burstFrames, type InterruptionCause } from '../../../../core/vocabulary/interruption.ts';
import { type Delay, receiverDelay, senderDelay } from '../attribution/evidence.ts';
import { lossWords, lostCapacity } from '../attribution/network.ts';
import { ms } from '../attribution/sentences.ts';
import type { Surroundings } from '../attribution/surroundings.ts';
import { tunnelDrop } from '../attribution/tunnel.ts';
import type { SentVoice, VoiceFrame } from './sent-frames.ts';

/** Cause of an interruption, and a sentence with the numbers that support this cause. */
export type VoiceFinding = { cause: InterruptionCause; evidence: string };

/** Frames that were missing in an interruption, and their surroundings. */
export type Missing = {
  gap: Delay['gap'];
  /** Delay from mouth to ear before the interruption, ms. */
  delayMs: number;
  /** Last frame heard before the interruption; null if none is known. */
  before: VoiceFrame | null;
  /** Sent frames that would have been heard in the interruption at the delay before it. */
  expected: VoiceFrame[];
  sent: SentVoice;
  surroundings: Surroundings;
  originMs: number;
};

/**
 * Moment since which the highest rate of the link counts, in ms and in words. The jitter buffer may have held so much of
 * the voice that frames were heard in time that had been sent after the rate fell: so much earlier than the last of them.
 */
export const sinceBefore = ({ before, expected, delayMs }: Missing) => ({
  sinceMs: (before ?? expected[0]!).sentMs - delayMs,
  words: `${ms(delayMs)} before the last frame heard before was sent`,
});

const lossCauses = { overflow: 'overflow-loss', aqm: 'aqm-loss', other: 'other-loss' } as const;

export function unsentFinding({ gap, delayMs, surroundings }: Missing, unsentMs: number): VoiceFinding {
  const unsent = `the sender sent nothing of ${ms(unsentMs)} of what was spoken`;
  const spoken = { fromMs: gap.fromMs - delayMs, toMs: gap.toMs };
  const host = senderDelay({ gap: spoken, addedMs: unsentMs, surroundings });
  return host === null
    ? { cause: 'unknown', evidence: `${unsent}, and the record does not show why` }
    : { cause: 'sender-host', evidence: `${unsent}; ${host}` };
}

/** Returns the most frequent reason for which frames were lost, and how many were. */
function mainReason(lost: readonly VoiceFrame[], behindIsRandom: boolean) {
  const counts = Map.groupBy(lost, ({ lost: reason }) =>
    reason === 'behind' && behindIsRandom ? 'random-loss' : reason!,
  );
  return [...counts]
    .map(([reason, { length }]) => ({ reason, frames: length }))
    .sort((a, b) => b.frames - a.frames)[0]!;
}

/** Returns the largest number of frames that were lost in a row. */
function longestRun(expected: readonly VoiceFrame[]): number {
  let [run, longest] = [0, 0];
  for (const { lost } of expected) {
    run = lost === null ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

export function lostFinding(missing: Missing, lost: readonly VoiceFrame[]): VoiceFinding {
  const { expected, surroundings, sent } = missing;
  const { reason, frames } = mainReason(lost, surroundings.losesBehindQueue);
  const run = longestRun(expected);
  const where =
    reason === 'behind' || reason === 'unseen'
      ? ''
      : ` ${frames === lost.length ? '' : `(${frames} of them) `}${lossWords[reason]}`;
  const words =
    `${lost.length} of the ${counted(expected.length, 'frame')} that were due then were lost${where}, ` +
    `up to ${run} in a row`;
  const lossesMs = { fromMs: lost[0]!.sentMs, toMs: Math.min(missing.gap.toMs, lost.at(-1)!.sentMs) };
  switch (reason) {
    case 'overflow': {
      const outage = lostCapacity(surroundings, lossesMs, sinceBefore(missing), lost[0]?.queue?.hop);
      return outage === null
        ? { cause: lossCauses[reason], evidence: words }
        : { ...outage, evidence: `${words}; ${outage.evidence}` };
    }
    case 'random-loss':
      return { cause: run >= burstFrames ? 'burst-loss' : 'random-loss', evidence: words };
    case 'behind':
      return { cause: 'other-loss', evidence: `${words}, behind the bottleneck` };
    case 'unseen':
      return (
        tunnelDrop(surroundings, { fromMs: lossesMs.fromMs, toMs: missing.gap.toMs }, words) ?? {
          cause: 'other-loss',
          evidence: `${words}; ${sent.hasQueueLog ? 'the queue log does not show where' : 'without a queue log it is unknown where'}`,
        }
      );
    default:
      return { cause: lossCauses[reason], evidence: words };
  }
}

export function repairFinding({ expected, sent }: Missing, lost: readonly VoiceFrame[]): VoiceFinding {
  return {
    cause: 'repair',
    evidence:
      `${lost.length} of the ${counted(expected.length, 'frame')} that were due then were lost, and ` +
      `their copies in the next ${counted(sent.redundantFrames, 'packet')} came too late`,
  };
}

export function heldFinding({ gap, expected, surroundings }: Missing, held: readonly VoiceFrame[]): VoiceFinding {
  const words = `${held.length} of the ${counted(expected.length, 'frame')} that were due then had arrived in time`;
  const host = receiverDelay({ gap, addedMs: gap.toMs - gap.fromMs, surroundings });
  return host === null
    ? { cause: 'jitter-buffer', evidence: `${words} and were not played; its page's timers were in time` }
    : { cause: 'receiver-host', evidence: `${words} and were not played; ${host}` };
}
