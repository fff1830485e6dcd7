/**
 * Checks plan.json for reports, whose run folder may come from anywhere. A study that is continued computes its plan
 * again instead (kept-plan.ts). Thresholds and claims are checked by the code that resolves them.
 */
import { check, z } from '../../core/schema/schema.ts';
import { mostWindowMs } from '../../core/vocabulary/trial-length.ts';

const text = z.string();
const number = z.number();
/** Schema of a time, Unix ms, up to the largest date of JavaScript. */
export const recordedTime = number.min(0).max(8.64e15);
const count = z.int().min(0);
const length = z.number().min(0).max(mostWindowMs);
const threshold = length.min(1).nullish();

/** Schema of an application in the condition, as planned. */
const application = z.looseObject({
  name: text,
  kind: text,
  service: z.looseObject({ id: text, title: text, params: z.looseObject({}) }),
  direction: z.enum(['down', 'up']),
  startMs: number.nullable(),
  stopMs: number.nullable(),
  pauses: z
    .array(z.object({ fromMs: length, toMs: length }))
    .readonly()
    .exactOptional(),
  frameRate: number.positive().optional(),
  dscp: number.optional(),
});

/** Schema of a condition in a plan and in a trial. */
export const conditionSchema = z
  .looseObject({
    id: text,
    name: text.optional(),
    title: text,
    baseline: text,
    subject: text,
    link: z.looseObject({
      rateBps: number,
      paths: z.record(text, z.looseObject({})),
      loss: z.looseObject({}).nullable(),
    }),
    applications: z.array(application),
  })
  .refine(({ applications, subject }) => applications.some(({ name }) => name === subject), {
    error: 'its subject is none of its applications',
  });

export const trialSchema = z.looseObject({ number, id: text, condition: text, repeat: number, seed: number });

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

/**
 * Checks the fields next to `plan` in plan.json, for studies of every kind. Throws `bad-run-folder` if one is missing
 * or wrong.
 */
export function checkPlanFile(content: unknown, path: string): void {
  check(file, content, path, 'bad-run-folder');
}

/** Checks the plan of an experiment. Throws `bad-run-folder` if it is wrong. */
export function checkExperimentPlan(content: unknown, path: string): void {
  check(plan, content, `${path}: plan`, 'bad-run-folder');
}
