/** Thresholds of a definition: what a study must show for `npm run experiment` to end with 0. */
import { choice, object, text, z } from '../../core/schema.ts';
import type { DurationText, RateText, RatioText } from '../../core/units.ts';

/** With its unit where the metric has one ("300ms", "5mbit", "2%", "55fps"), else a number. */
export type BoundText = RateText | DurationText | RatioText | `${number}fps` | number;

export type ThresholdDefinition = {
  /** A quantity of summary.json: "stall-time". */
  metric: string;
  /** A condition, or all variations of it; every condition where not said. */
  condition?: string;
  atMost?: BoundText;
  atLeast?: BoundText;
  /** What is held against the bound; the median where not said. */
  judge?: 'median' | 'interval';
};

const bound = z.union([z.string(), z.number()], { error: 'must be text with a unit, or a number' });

/** The shape; what a metric or a condition is called, and its unit, is checked where metrics are known (harness/gate). */
export const thresholdsSchema = z.array(object({
  metric: text().describe('A quantity of summary.json.'),
  condition: text().optional().describe('A condition, or all variations of it; every condition where not said.'),
  atMost: bound.optional().describe('The largest value that will do.'),
  atLeast: bound.optional().describe('The smallest value that will do.'),
  judge: choice(['median', 'interval']).default('median').describe('The median over trials, or its whole 95 % interval, which takes six trials.'),
}).refine(({ atMost, atLeast }) => (atMost === undefined) !== (atLeast === undefined), { error: 'give either atMost or atLeast' })).default([]);
