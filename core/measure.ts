/**
 * What a study may choose of how it is measured. It is applied when a summary is made, so another choice needs no new
 * run.
 */
export type Measure = {
  /** A time without a new frame that is longer counts as a stall by the study's own measure, ms. */
  stallMs: number;
};

export const defaultMeasure: Measure = { stallMs: 100 };
