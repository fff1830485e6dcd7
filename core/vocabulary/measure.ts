/**
 * Measurement choices of a study: thresholds for stalls and smooth motion. They apply when a summary is made, so
 * another choice needs no new run. A value that is null, or missing in a plan of an older version, follows the rules of
 * stalls.ts.
 */
import { ruledMs, smoothRule, stallRule } from './stalls.ts';

export type Measure = {
  /** Longest time without a new frame that is not yet a stall by the study's own measure, ms. */
  stallMs?: number | null;
  /** The same limit for the stalls in verdict, tables, figures and causes, ms. */
  headlineStallMs?: number | null;
  /** Longest gap of smooth motion, ms. */
  smoothGapMs?: number | null;
};

export const defaultMeasure: Measure = { stallMs: null, headlineStallMs: null, smoothGapMs: null };

export type GapLimits = { stallMs: number; ownStallMs: number; smoothGapMs: number };

/**
 * Returns the limits of a stream. `frameRate`: captured frames per second; undefined if the service does not state it.
 */
export function gapLimits(measure: Measure, frameRate: number | undefined): GapLimits {
  return {
    stallMs: measure.headlineStallMs ?? ruledMs(stallRule, frameRate),
    ownStallMs: measure.stallMs ?? ruledMs(smoothRule, frameRate),
    smoothGapMs: measure.smoothGapMs ?? ruledMs(smoothRule, frameRate),
  };
}
