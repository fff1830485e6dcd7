/**
 * What a study may choose of how it is measured. It is applied when a summary is made, so another choice needs no new
 * run. What is null, or missing in a plan of an older version, follows the rules of stalls.ts.
 */
import { ruledMs, smoothRule, stallRule } from './stalls.ts';

export type Measure = {
  /** A time without a new frame that is longer counts as a stall by the study's own measure, ms. */
  stallMs?: number | null;
  /** The same for the stalls of verdict, tables, figures and causes, ms. */
  headlineStallMs?: number | null;
  /** Longest gap of smooth motion, ms. */
  smoothGapMs?: number | null;
};

export const defaultMeasure: Measure = { stallMs: null, headlineStallMs: null, smoothGapMs: null };

/** The limits of a stream, ms. */
export type GapLimits = { stallMs: number; ownStallMs: number; smoothGapMs: number };

/** `frameRate`: frames per second that are captured; undefined where the service does not say. */
export function gapLimits(measure: Measure, frameRate: number | undefined): GapLimits {
  return {
    stallMs: measure.headlineStallMs ?? ruledMs(stallRule, frameRate),
    ownStallMs: measure.stallMs ?? ruledMs(smoothRule, frameRate),
    smoothGapMs: measure.smoothGapMs ?? ruledMs(smoothRule, frameRate),
  };
}
