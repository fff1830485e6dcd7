/**
 * Figure of the longest stall of a condition. For each frame it shows, over time, in which part of its latency the
 * frame was.
 */
import { frameParts } from '../../../core/vocabulary/frame-parts.ts';
import { causes } from '../../../core/vocabulary/stalls.ts';
import type { StallOrFreeze } from '../../../harness/analysis/derive/attribution/attribute.ts';
import type { StopInWindow } from '../../../harness/analysis/derive/link-stops.ts';
import type { FrameInParts } from '../../../harness/analysis/derive/timeline/frame-parts.ts';
import type { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import { type FrameTimeline, frameTimelines } from '../../charts/frame-timelines.ts';
import { formatValue } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { stopLabel } from '../../link-stops.ts';

/** Approximate number of frames in the figure. */
const mostFrames = 60;

export type LongestStall = {
  stall: StallOrFreeze;
  trial: string;
  originMs: number;
  frames: FrameInParts[];
  /** Stops of the link in the whole trial. */
  stops: StopInWindow[];
};

/**
 * Returns the longest stall of a trial. Undefined if the trial has no stall, or if the record does not follow any of
 * its frames.
 */
export async function longestStall(
  record: TrialView,
  stallsAndFreezes: readonly StallOrFreeze[],
): Promise<LongestStall | undefined> {
  const stall = stallsAndFreezes.filter(({ isStall }) => isStall).sort((a, b) => b.lengthMs - a.lengthMs)[0];
  if (stall === undefined) return undefined;
  const frames = await record.framesAround(stall, mostFrames);
  return frames.length === 0
    ? undefined
    : { stall, trial: record.file.trial.id, originMs: record.window.startMs, frames, stops: await record.linkStops() };
}

function rowOf({ frame, captureMs, isPresented, parts }: FrameInParts, originMs: number): FrameTimeline {
  let from = captureMs - originMs;
  const stretches = frameParts.map((id, part) => ({ part, from: from / 1000, to: (from += parts[id]) / 1000 }));
  return { label: String(frame), stretches, isFaint: !isPresented };
}

/** Returns the figure. `partNames`: names of the parts of the latency, in the order from capture to presentation. */
export function longestFigure(
  condition: string,
  { stall, trial, originMs, frames, stops }: LongestStall,
  partNames: readonly string[],
): Html {
  const { cause, evidence, startMs, endMs, lengthMs } = stall;
  const [length, at] = [formatValue(lengthMs, 'ms'), formatValue((startMs - originMs) / 1000, 's')];
  const causeSaid = cause === 'unknown' ? 'cause not known' : causes[cause];
  const words = `${condition}: ${length} at ${at} of ${trial}, ${causeSaid}`;
  return html`<details><summary>${words}</summary>${frameTimelines({
    title: `Part of its latency that each frame is in, during the longest stall. ${words}; ${evidence}`,
    label: 'time in the window (s)',
    parts: partNames.map((name, colour) => ({ name, colour })),
    timelines: frames.map(frame => rowOf(frame, originMs)),
    shade: { from: (endMs - lengthMs - originMs) / 1000, to: (endMs - originMs) / 1000 },
    stops: stops.map(({ fromS, toS, lengthMs: stopMs }) => ({ from: fromS, to: toS, label: stopLabel(stopMs) })),
  })}<p class="note">${evidence}.</p></details>`;
}
