/** Interruptions of the voice of a trial, each with its cause and the evidence for it (README.md). */
import { type InterruptionCause, interruptionMs } from '../../../../core/vocabulary/interruption.ts';
import type { TrialRecord, Window } from '../../../record/trial-record.ts';
import { Surroundings } from '../attribution/surroundings.ts';
import { onceFor } from '../once.ts';
import type { VoiceGap } from './gaps.ts';
import { heldFinding, lostFinding, type Missing, repairFinding, unsentFinding, type VoiceFinding } from './judges.ts';
import { lateFinding } from './late.ts';
import { type SentVoice, sentVoice, type VoiceFrame } from './sent-frames.ts';
import { voiceOf } from './voice.ts';

/** Part of the window in which the voice was interrupted, and why. */
export type Interruption = Window & { cause: InterruptionCause; evidence: string };

/**
 * Time before a frame is heard at which it has to have arrived, ms: the jitter buffer takes and decodes it, and what is
 * heard is compared in blocks of this length.
 */
const beforeHeardMs = 20;

/** Fate of a frame that was not heard at its time. */
type Fate = 'lost' | 'repair' | 'late' | 'held' | 'untraced';

/** Returns the interruptions of the voice in the window, by time; undefined if nothing of the voice is known. */
export const interruptionsOf = onceFor(async (record: TrialRecord): Promise<Interruption[] | undefined> => {
  const voice = await voiceOf(record);
  if (voice === undefined) return undefined;
  if (voice.gaps === null)
    return [
      { ...record.window, cause: 'unknown', evidence: 'no chirp was heard, so the delay of the voice is not known' },
    ];
  const gaps = voice.gaps.filter(({ startMs, endMs }) => endMs - startMs >= interruptionMs);
  if (gaps.length === 0) return []; // most trials have none, and reading can stop here
  const [sent, surroundings] = await Promise.all([sentVoice(record), Surroundings.of(record)]);
  return gaps.map(gap => ({
    startMs: gap.startMs,
    endMs: gap.endMs,
    ...(sent === undefined
      ? { cause: 'unknown' as const, evidence: 'the record does not have the packets of the voice' }
      : attribute(gap, sent, surroundings, record)),
  }));
});

/** Time that two windows have in common, ms. */
const commonMs = (a: Window, b: Window) => Math.max(0, Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs));

function attribute(
  gap: VoiceGap,
  sent: SentVoice,
  surroundings: Surroundings,
  { pauses, originMs }: TrialRecord,
): VoiceFinding {
  const { frames, frameMs } = sent;
  const missing: Missing = {
    gap: { fromMs: gap.startMs, toMs: gap.endMs },
    delayMs: gap.delayMs,
    before: lastBefore(gap, sent),
    expected: [],
    sent,
    surroundings,
    originMs,
  };
  const weightsMs: Record<Fate, number> = { lost: 0, repair: 0, late: 0, held: 0, untraced: 0 };
  const byFate: Record<Fate, VoiceFrame[]> = { lost: [], repair: [], late: [], held: [], untraced: [] };
  for (const [i, frame] of frames.entries()) {
    const dueMs = frame.spokenMs + gap.delayMs;
    const weightMs = commonMs({ startMs: dueMs, endMs: dueMs + frameMs }, gap);
    if (weightMs === 0) continue;
    const fate = fateOf(i, dueMs - beforeHeardMs, sent);
    missing.expected.push(frame);
    weightsMs[fate] += weightMs;
    byFate[fate].push(frame);
  }
  const spoken = { startMs: gap.startMs - gap.delayMs, endMs: gap.endMs - gap.delayMs };
  const pausedMs = pauses.reduce((sum, pause) => sum + commonMs(pause, spoken), 0);
  const sentMs = Object.values(weightsMs).reduce((sum, ms) => sum + ms, 0);
  const unsentMs = gap.endMs - gap.startMs - sentMs - pausedMs;
  const [fate, mostMs] = (Object.entries(weightsMs) as [Fate, number][]).reduce((a, b) => (b[1] > a[1] ? b : a));
  if (pausedMs > Math.max(mostMs, unsentMs))
    return { cause: 'sender-pause', evidence: 'the sender had paused, and its first frames were on their way' };
  if (unsentMs > mostMs) return unsentFinding(missing, unsentMs);
  const own = byFate[fate];
  switch (fate) {
    case 'lost':
      return lostFinding(missing, own);
    case 'repair':
      return repairFinding(missing, own);
    case 'late':
      return lateFinding(missing, own);
    case 'held':
      return heldFinding(missing, own);
    case 'untraced':
      return { cause: 'unknown', evidence: 'the record does not show whether the packets of the voice arrived' };
  }
}

/**
 * Returns the last frame heard before a gap: one that arrived, and by its time. Frames that only seem to be due before
 * the gap, because its begin is not known to the millisecond, are those that were missing in it. Where none came by its
 * time, it is the last that arrived.
 */
function lastBefore({ startMs, delayMs }: VoiceGap, { frames, frameMs }: SentVoice): VoiceFrame | null {
  const arrived = frames.filter(
    ({ spokenMs, arrivedMs }) => spokenMs + frameMs + delayMs <= startMs && Number.isFinite(arrivedMs),
  );
  return arrived.findLast(({ spokenMs, arrivedMs }) => arrivedMs <= spokenMs + delayMs) ?? arrived.at(-1) ?? null;
}

/** Returns what became of a frame. `needMs`: time at which it had to have arrived. */
function fateOf(place: number, needMs: number, { frames, redundantFrames }: SentVoice): Fate {
  const frame = frames[place]!;
  if (frame.lost !== null) {
    const copiesMs = frames
      .slice(place + 1, place + 1 + redundantFrames)
      .map(({ arrivedMs }) => arrivedMs)
      .filter(arrivedMs => Number.isFinite(arrivedMs));
    if (copiesMs.length === 0) return 'lost';
    return Math.min(...copiesMs) > needMs ? 'repair' : 'held';
  }
  if (Number.isNaN(frame.arrivedMs)) return 'untraced';
  return frame.arrivedMs > needMs ? 'late' : 'held';
}
