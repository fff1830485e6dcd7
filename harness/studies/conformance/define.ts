/**
 * Definition of a conformance study: senders, and the cases that each has to pass. It contains literals only.
 *
 *   export default defineConformance({ title: ..., senders: { gcc: { service: { id: 'live-clip', ... } } } });
 */
import { duration, integer, object, ratio, text, type Written, z } from '../../../core/schema/schema.ts';
import { claimsSchema } from '../../definition/claim.ts';
import { parallelSetting, queueLogSetting, runSettings } from '../../definition/run-settings.ts';
import { boundSchema, thresholdsSchema } from '../../definition/threshold.ts';

const nameForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const conformanceSchema = object({
  title: text().describe('Title of the report.'),
  question: text().describe('The question that the study answers.'),
  source: text().describe('Documents that the cases come from.'),
  senders: z
    .record(
      text().regex(nameForm, { error: 'must be small letters and digits, with single dashes between' }),
      object({
        title: text().describe('Name of the sender in the report.'),
        service: z.looseObject({ id: text() }).describe('`id` of a [service](#services) and its parameters.'),
        withMarks: z
          .looseObject({})
          .optional()
          .describe(
            'Parameters with which it declares ECN. Without them, it has only those cases with marks that say what ' +
              'a sender without ECN meets.',
          ),
        hasPriority: z
          .boolean()
          .default(false)
          .describe('Its controller takes a `priority`. Without it, it has no cases with priorities.'),
      }),
    )
    .refine(senders => Object.keys(senders).length > 0, { error: 'there is no sender' })
    .describe('What is tested. Each sends every media flow of a case.'),
  cases: z
    .array(z.union([text(), z.looseObject({ id: text() })], { error: 'must be the id of a case, or a case' }))
    .min(1)
    .optional()
    .describe(
      'Ids of cases, beginnings of ids up to a dash (`rfc8867`), or cases written out (`defineCase`). ' +
        'Without it, every shipped case.',
    ),
  only: z.array(text()).min(1).optional().describe('Names of the senders that are tested. Without it, all.'),
  bounds: z
    .record(text(), object({ atMost: boundSchema.optional(), atLeast: boundSchema.optional() }))
    .default({})
    .describe('Bounds by the id of a measure. They replace those of the measure and of the cases.'),
  confidence: ratio({ min: 0, max: 0.9999 })
    .default(0.75)
    .describe(
      'Least coverage of the interval that decides an expectation. 75 %: three trials that agree; 95 %: six; 0 %: one.',
    ),
  run: object({
    startUp: duration({ min: 3000, max: 120e3 })
      .default(3000)
      .describe('Time between the start of the trial and its window. Flows start by the times of their case.'),
    repeats: integer({ min: 1, max: 1000 }).default(3).describe('Number of valid trials of each case and sender.'),
    ...runSettings,
    parallel: parallelSetting,
    queueLog: queueLogSetting.refine(value => value !== 'off', { error: 'must be kept: every measure comes from it' }),
  })
    .transform(({ startUp, ...rest }) => ({ startUpMs: startUp, ...rest }))
    .prefault({}),
  require: thresholdsSchema,
  claims: claimsSchema,
});

/** Content of a definition file. */
export type ConformanceDefinition = Written<typeof conformanceSchema>;

export function defineConformance(definition: ConformanceDefinition): ConformanceDefinition {
  return definition;
}
