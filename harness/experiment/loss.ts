/** Random loss: independent for every packet, or in bursts (Gilbert-Elliott: a good and a bad state, each with its own loss). */
import type { LossModel } from '../../core/link.ts';
import { choice, object, ratio, z } from '../../core/schema.ts';
import type { RatioText } from '../../core/units.ts';

export type LossDefinition = RatioText | { ratio: RatioText; where?: LossModel['where'] } | {
  toBad: RatioText; toGood: RatioText; bad?: RatioText; good?: RatioText; where?: LossModel['where'];
};

const where = choice(['before', 'after']).default('before').describe('Before or after the bottleneck queue.');
const maxRatio = 0.9;

const independent = object({ ratio: ratio({ min: 0, max: maxRatio }), where })
  .transform((loss): LossModel | null => (loss.ratio === 0 ? null : { kind: 'independent', ...loss }));

const bursts = object({
  toBad: ratio({ min: 0, max: 1 }).describe('From the good state to the bad one, for each packet.'),
  toGood: ratio({ moreThan: 0, max: 1 }).describe('From the bad state to the good one, for each packet.'),
  bad: ratio({ min: 0, max: 1 }).default(1).describe('Loss in the bad state.'),
  good: ratio({ min: 0, max: maxRatio }).default(0).describe('Loss in the good state.'),
  where,
}).transform(({ toBad, toGood, bad, good, where: at }): LossModel => ({
  kind: 'gilbert-elliott', toBadRatio: toBad, toGoodRatio: toGood, badLossRatio: bad, goodLossRatio: good, where: at,
}));

/** "2%", { ratio, where } or { toBad, toGood, ... }; 0 % is no loss, null. */
export const lossSchema = z.unknown().transform((value, context): LossModel | null => {
  const isText = typeof value !== 'object' || value === null;
  const schema = !isText && ('toBad' in value || 'toGood' in value) ? bursts : independent;
  const result = schema.safeParse(isText ? { ratio: value } : value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  context.addIssue({ code: 'custom', path: isText ? [] : [...issue.path], message: issue.message });
  return z.NEVER;
});
