/** Claims of a definition: findings of a paper. The results of the study confirm or refute them. */
import { choice, object, text, type Written, z } from '../../core/schema/schema.ts';
import { boundSchema } from './threshold.ts';
import { valueNameShape, withPresentName } from './value-name.ts';

/**
 * True if a comparison expects one value to be lower or higher than another. False if it expects them to lie within a
 * margin.
 */
export function isDifference(expects: string): expects is 'lower' | 'higher' {
  return expects === 'lower' || expects === 'higher';
}

const comparison = object({
  ...valueNameShape,
  condition: text().describe('The condition that the claim is about.'),
  than: text().optional().describe('The condition that it is compared with.'),
  expects: choice(['lower', 'higher', 'different', 'alike', 'not-lower', 'not-higher'])
    .optional()
    .describe('How the condition is to `than`.'),
  by: boundSchema
    .optional()
    .describe(
      'With `lower` and `higher`: by how much at least, as a share of `than` ("15%") or in the unit of the metric ' +
        '("1s"). Without it, any difference counts, and two conditions that are alike leave the comparison undecided.',
    ),
  within: boundSchema
    .optional()
    .describe(
      'With `alike`, `not-lower` and `not-higher`: how far the condition may be from `than`, as a share of it ("15%") ' +
        'or in the unit of the metric ("1s"). Default: 10 %.',
    ),
  below: boundSchema.optional().describe('In place of `than`: the bound that the condition is below.'),
  above: boundSchema.optional().describe('In place of `than`: the bound that it is above.'),
})
  .refine(
    ({ than, below, above }) => [than, below, above].filter(value => value !== undefined).length === 1,
    'give one of than, below and above',
  )
  .refine(({ than, expects }) => (than === undefined) === (expects === undefined), '"than" and "expects" go together')
  .refine(
    ({ expects, within }) =>
      within === undefined || (expects !== undefined && expects !== 'different' && !isDifference(expects)),
    '"within" goes with expects: "alike", "not-lower" and "not-higher"',
  )
  .refine(
    ({ expects, by }) => by === undefined || (expects !== undefined && isDifference(expects)),
    '"by" goes with expects: "lower" and "higher"',
  )
  .transform(withPresentName);

/** Comparison that a claim makes: of two conditions, or of a condition and a bound. */
export type ComparisonDefinition = Written<typeof comparison>;

export const claimsSchema = z
  .array(
    object({
      text: text().describe('What was found, one sentence.'),
      source: text().optional().describe('Where it stands. Without it, the `source` of the study.'),
      holds: z.array(comparison).min(1).describe('Comparisons. The claim holds where all of them do.'),
    }),
  )
  .default([])
  .describe(
    'Findings that the report judges as reproduced (of the study itself: confirmed), refuted or undecided. A ' +
      'comparison is decided only where the 95 % intervals of the medians leave no doubt.',
  );
