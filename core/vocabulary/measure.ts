/**
 * Thresholds of a study for stalls and for smooth motion. They are applied when a summary is made, so other thresholds
 * need no new run. A threshold that is null, or missing in a plan of an older version, follows the rules of stalls.ts.
 */
import { ruledMs, smoothRule, stallRule } from './stalls.ts';

export type Measure = {
  /** Threshold for the study's own measure of stalls, ms. A longer time without a new frame is a stall. */
  stallMs?: number | null;
  /**
   * Threshold for the stalls in verdict, tables, figures and causes, ms. A longer time without a new frame is a stall.
   */
  headlineStallMs?: number | null;
  /** Threshold for smooth motion, ms. Motion is not smooth in a longer time without a new frame. */
  smoothGapMs?: number | null;
};

export const defaultMeasure: Measure = { stallMs: null, headlineStallMs: null, smoothGapMs: null };

export type GapLimits = { stallMs: number; ownStallMs: number; smoothGapMs: number };

/**
 * Returns the thresholds for a stream, ms. `frameRate`: captured frames per second; undefined if the service does not
 * state them.
 */
export function gapLimits(measure: Measure, frameRate: number | undefined): GapLimits {
  return {
    stallMs: measure.headlineStallMs ?? ruledMs(stallRule, frameRate),
    ownStallMs: measure.stallMs ?? ruledMs(smoothRule, frameRate),
    smoothGapMs: measure.smoothGapMs ?? ruledMs(smoothRule, frameRate),
  };
}
