/**
 * Schema of plan.json for reports, whose folders may come from anywhere. A resumed plan is computed again from its
 * definition instead. Thresholds and claims are checked where they are resolved.
 */
import { check, z } from '../../core/schema/schema.ts';
import { mostWindowMs } from '../../core/vocabulary/trial-length.ts';
import { conditionSchema, recordedTime, trialSchema } from './trial-schema.ts';

const text = z.string();
const count = z.int().min(0);
const length = z.number().min(0).max(mostWindowMs);
const threshold = length.min(1).nullish();

const file = z.looseObject({
  plan: z.looseObject({}),
  versions: z.looseObject({ coexist: text, kernel: text, node: text }),
  createdMs: recordedTime,
});

const plan = z.looseObject({
  study: text,
  title: text,
  question: text,
  source: text,
  definition: z.looseObject({}),
  changes: z.array(text).optional(),
  run: z.looseObject({
    windowMs: length.min(1),
    startUpMs: length,
    floodLeadMs: length,
    repeats: count,
    retries: count,
    seed: count,
  }),
  measure: z.looseObject({ stallMs: threshold, headlineStallMs: threshold, smoothGapMs: threshold }),
  conditions: z.array(conditionSchema),
  trials: z.array(trialSchema),
});

/** Throws `bad-run-folder` if the fields next to `plan` are missing or wrong, for studies of every kind. */
export function checkPlanFile(content: unknown, path: string): void {
  check(file, content, path, 'bad-run-folder');
}

/** Throws `bad-run-folder` if this is no plan of an experiment. */
export function checkExperimentPlan(content: unknown, path: string): void {
  check(plan, content, `${path}: plan`, 'bad-run-folder');
}
