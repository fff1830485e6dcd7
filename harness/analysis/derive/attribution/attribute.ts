/** Finds a cause and its evidence for each stall and each freeze of a trial (README.md). */

import type { SkippedFrameLine } from '../../../record/series/frames.sent.ts';
import type { StreamRecord, TrialRecord } from '../../../record/trial-record.ts';
import { freezesOf } from '../freezes.ts';
import { onceFor } from '../once.ts';
import type { Gap } from '../presentation.ts';
import { stallsOf } from '../stalls.ts';
import { type Timeline, timelineOf } from '../timeline/timeline.ts';
import { blockingOf, type GapPart, periodOf } from './blocking.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { queueFinding, repairFinding, wireFinding } from './network.ts';
import { holdFinding, keyFrameFinding } from './receiving.ts';
import { captureFinding, encoderFinding, pacerFinding } from './sending.ts';
import { Surroundings } from './surroundings.ts';

/** Functions that judge a gap, by the part of the path that added most to it. */
const judges: Record<GapPart, (evidence: Evidence) => Finding> = {
  capture: captureFinding,
  'key-frame': keyFrameFinding,
  encoder: encoderFinding,
  pacer: pacerFinding,
  queue: queueFinding,
  wire: wireFinding,
  repair: repairFinding,
  'jitter-buffer': holdFinding,
  decode: holdFinding,
};

export type AttributedGap = Gap & Finding;

type Known = {
  timeline: Timeline;
  surroundings: Surroundings;
  skipped: readonly SkippedFrameLine[];
  periodMs: number;
  windowEndMs: number;
};

/** Returns the stalls of a trial with their causes, computed once for each record. */
export const attributedStalls = onceFor(
  async (record: StreamRecord): Promise<AttributedGap[]> => attributeGaps(record, await stallsOf(record)),
);

/** Time without a new frame that counts as a stall, as a freeze, or as both. */
export type StallOrFreeze = AttributedGap & { isStall: boolean; isFreeze: boolean };

/** Returns the stalls and the W3C freezes of a trial, in chronological order. */
export async function stallsAndFreezes(record: TrialRecord): Promise<StallOrFreeze[]> {
  const [stalled, frozen] = [await attributedStalls(record), (await freezesOf(record)) ?? []];
  const isIn = (gap: Gap, gaps: readonly Gap[]) =>
    gaps.some(({ startMs, endMs }) => startMs === gap.startMs && endMs === gap.endMs);
  const others = frozen
    .filter(freeze => !isIn(freeze, stalled))
    .map(({ lengthMs, startMs, endMs }) => ({ lengthMs, startMs, endMs }));
  return [
    ...stalled.map(gap => ({ ...gap, isStall: true, isFreeze: isIn(gap, frozen) })),
    ...(await attributeGaps(record, others)).map(gap => ({ ...gap, isStall: false, isFreeze: true })),
  ].sort((a, b) => a.startMs - b.startMs);
}

/** Finds the cause of each given gap, a time without a new frame. */
export async function attributeGaps(record: StreamRecord, gaps: readonly Gap[]): Promise<AttributedGap[]> {
  if (gaps.length === 0) return []; // most trials have no gaps, and reading can stop here
  const [timeline, surroundings, skipped] = await Promise.all([
    timelineOf(record),
    Surroundings.of(record),
    record.skippedFrames(),
  ]);
  const known = {
    timeline,
    surroundings,
    skipped,
    periodMs: periodOf(timeline.frames),
    windowEndMs: record.window.endMs,
  };
  return gaps.map(gap => ({ ...gap, ...attribute(gap, known) }));
}

function attribute(gap: Gap, { timeline, surroundings, skipped, periodMs, windowEndMs }: Known): Finding {
  const span = { fromMs: gap.endMs - gap.lengthMs, toMs: gap.endMs };
  const isOver = gap.endMs < windowEndMs || timeline.frames.some(frame => frame.presentedMs === windowEndMs);
  const blocking = blockingOf(timeline.frames, { ...span, isOver }, periodMs);
  if (blocking === undefined) {
    return {
      cause: 'unknown',
      evidence:
        timeline.frames.length === 0
          ? 'the sender does not report single frames'
          : 'the sender did not report the last frame that was presented',
    };
  }
  const { before, next } = blocking;
  const [part, addedMs] = (Object.entries(blocking.addedMs) as [GapPart, number][]).reduce((a, b) =>
    b[1] > a[1] ? b : a,
  );
  const between = skipped.filter(({ frame }) => frame > before.frame && frame < (next?.frame ?? Infinity));
  return judges[part]({
    blocking,
    logged: timeline.frames.findLast(frame => frame.frame <= before.frame && frame.last?.queue != null) ?? null,
    gap: span,
    addedMs,
    surroundings,
    skipped: between,
    hasQueueLog: timeline.hasQueueLog,
  });
}
