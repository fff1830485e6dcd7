/**
 * Random loss of a definition: independent for every packet, or in bursts (Gilbert-Elliott: a good and a bad state,
 * each with a probability of loss).
 */

import { choice, object, ratio, schemaFacts, type Written, z } from '../../core/schema/schema.ts';
import type { RatioText } from '../../core/text/units.ts';
import type { LossModel } from '../../core/vocabulary/link.ts';

const where = choice(['before', 'after'])
  .default('before')
  .describe('Whether packets are lost before or after the bottleneck queue.');
const maxRatio = 0.9;

const independent = object({
  ratio: ratio({ min: 0, max: maxRatio }).describe('Share of packets lost, each independently of the others.'),
  where,
}).transform((loss): LossModel | null => (loss.ratio === 0 ? null : { kind: 'independent', ...loss }));

const bursts = object({
  toBad: ratio({ min: 0, max: 1 }).describe(
    'Probability, for each packet, to change from the good state to the bad state.',
  ),
  toGood: ratio({ moreThan: 0, max: 1 }).describe(
    'Probability, for each packet, to change from the bad state to the good state.',
  ),
  bad: ratio({ min: 0, max: 1 }).default(1).describe('Share of packets lost in the bad state.'),
  good: ratio({ min: 0, max: maxRatio }).default(0).describe('Share of packets lost in the good state.'),
  where,
}).transform(
  ({ toBad, toGood, bad, good, where: at }): LossModel => ({
    kind: 'gilbert-elliott',
    toBadRatio: toBad,
    toGoodRatio: toGood,
    badLossRatio: bad,
    goodLossRatio: good,
    where: at,
  }),
);

export type LossDefinition = RatioText | Written<typeof independent> | Written<typeof bursts>;

/** Schema that accepts "2%", { ratio, where } or { toBad, toGood, ... }. A loss of 0 % becomes null. */
export const lossSchema = z.unknown().transform((value, context): LossModel | null => {
  const isText = typeof value !== 'object' || value === null;
  const schema = !isText && ('toBad' in value || 'toGood' in value) ? bursts : independent;
  const result = schema.safeParse(isText ? { ratio: value } : value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  context.addIssue({ code: 'custom', path: isText ? [] : [...issue.path], message: issue.message });
  return z.NEVER;
});
schemaFacts.add(lossSchema, { forms: [ratio({ min: 0, max: maxRatio }), independent, bursts] });
