/** Thresholds of a definition: results that a study must reach for `npm run experiment` to exit with status 0. */
import { choice, object, schemaFacts, text, z } from '../../core/schema/schema.ts';
import type { DurationText, RateText, RatioText } from '../../core/text/units.ts';

/** Text with the unit of the metric ("300ms", "5mbit", "2%", "55fps"), or a number if it has none. */
export type BoundText = RateText | DurationText | RatioText | `${number}fps` | number;

export type ThresholdDefinition = {
  /** Metric in summary.json: "stall-time". */
  metric: string;
  /** A condition, or all its variations. Default: every condition. */
  condition?: string;
  atMost?: BoundText;
  atLeast?: BoundText;
  /** Statistic that is compared with the bound. Default: the median. */
  judge?: 'median' | 'interval' | 'every';
};

const bound = z
  .union([z.string(), z.number()], { error: 'must be text with a unit, or a number' })
  .register(schemaFacts, { accepts: 'text with a unit, or a number' });

/**
 * Schema of the thresholds. Names of metrics and conditions, and units, are checked in harness/analysis/gate, which
 * knows the metrics.
 */
export const thresholdsSchema = z
  .array(
    object({
      metric: text().describe('Name of a metric in `summary.json`, for example `stall-time`.'),
      condition: text().optional().describe('A condition, or all variations of it. Without it, every condition.'),
      atMost: bound
        .optional()
        .describe(
          'Largest value that passes, with the unit of the metric: `300ms`, `5mbit`, `2%`, `55fps`, or a number.',
        ),
      atLeast: bound.optional().describe('Smallest value that passes.'),
      judge: choice(['median', 'interval', 'every'])
        .default('median')
        .describe(
          'What must pass: the median over valid trials, its whole 95 % interval, which needs six trials, or every valid trial.',
        ),
    }).refine(({ atMost, atLeast }) => (atMost === undefined) !== (atLeast === undefined), {
      error: 'give either atMost or atLeast',
    }),
  )
  .default([])
  .describe('Thresholds. A run that misses one ends with exit status 4.');
