/** Thresholds of a definition: results that a study must reach so that `npm run experiment` exits with status 0. */
import { choice, object, schemaFacts, text, z } from '../../core/schema/schema.ts';
import type { DurationText, RateText, RatioText } from '../../core/text/units.ts';
import { valueNameShape, withPresentName } from './value-name.ts';

const isText = (value: unknown) => typeof value === 'string';

/**
 * Schema of a bound of a metric: text with the metric's unit ("300ms", "5mbit", "2%", "55fps"), or a number if the
 * metric has no unit.
 */
export const boundSchema = z
  .union([z.custom<RateText | DurationText | RatioText | `${number}fps`>(isText), z.number()], {
    error: 'must be text with a unit, or a number',
  })
  .register(schemaFacts, { accepts: 'text with a unit, or a number' });

/**
 * Schema of the thresholds. It does not check the names of metrics and conditions, nor units. harness/analysis/gate
 * checks these, because it knows the metrics.
 */
export const thresholdsSchema = z
  .array(
    object({
      ...valueNameShape,
      condition: text().optional().describe('A condition, or all variations of it. Without it, every condition.'),
      atMost: boundSchema
        .optional()
        .describe(
          'Largest value that passes, with the unit of the metric: `300ms`, `5mbit`, `2%`, `55fps`, or a number.',
        ),
      atLeast: boundSchema.optional().describe('Smallest value that passes.'),
      judge: choice(['median', 'interval', 'every'])
        .default('median')
        .describe(
          'What must pass: the median over valid trials, its whole 95 % interval, which needs six trials, or every valid trial.',
        ),
    })
      .refine(({ atMost, atLeast }) => (atMost === undefined) !== (atLeast === undefined), {
        error: 'give either atMost or atLeast',
      })
      .transform(withPresentName),
  )
  .default([])
  .describe('Thresholds. A run that misses one ends with exit status 4.');
