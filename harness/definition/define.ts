/**
 * Definition of an experiment: a file of literals that a networking person can read.
 *
 *   export default defineExperiment({ title: ..., link: { rate: '40mbit', ... }, ... });
 *
 * A definition contains no computed values. It must survive a round trip through JSON, so that the plan written with
 * every result is complete.
 */

import { duration, integer, object, schemaFacts, text, type Written, z } from '../../core/schema/schema.ts';
import type { RateText } from '../../core/text/units.ts';
import type { Measure } from '../../core/vocabulary/measure.ts';
import { limitWords, smoothRule, stallRule } from '../../core/vocabulary/stalls.ts';
import { mostWindowMs } from '../../core/vocabulary/trial-length.ts';
import type { ApplicationDefinition } from './applications.ts';
import { claimsSchema } from './claim.ts';
import type { LinkDefinition } from './link.ts';
import { referenceSchema } from './reference.ts';
import { parallelSetting, queueLogSetting, runSettings } from './run-settings.ts';
import { thresholdsSchema } from './threshold.ts';

/** Changes that a condition makes to the definition. All other settings are those of the definition. */
export type ConditionDefinition = {
  title?: string;
  /** The condition that this one is compared with, if it is not that of the study. */
  baseline?: string;
  link?: LinkDefinition;
  /** Changed parameters of `service`. Null: the condition has no `service`. `flood` is written in the same way. */
  service?: { [parameter: string]: unknown } | null;
  flood?: { [parameter: string]: unknown } | null;
  tunnel?: { [parameter: string]: unknown };
  /** Changed applications, by name. Null: the condition does not have this application. */
  applications?: Record<string, ApplicationDefinition | null>;
};

const choice = () => z.looseObject({ id: text() });
const service = { accepts: 'object: `id` of a [service](#services) and its parameters' };

export const runSchema = object({
  window: duration({ min: 1000, max: mostWindowMs })
    .default(40e3)
    .describe('Length of the measured window of each trial.'),
  startUp: duration({ min: 3000, max: 120e3 })
    .default(3000)
    .describe('Time between the first frame and the measured window. It is never measured.'),
  floodLead: duration({ min: 0, max: 60e3 })
    .default(0)
    .describe(
      'How long the flood runs before the client of the service is started. The client needs about one second more ' +
        'to show its first frame.',
    ),
  repeats: integer({ min: 1, max: 1000 }).default(1).describe('Number of valid trials for each condition.'),
  ...runSettings,
  parallel: parallelSetting,
  queueLog: queueLogSetting,
}).transform(({ window, startUp, floodLead, ...rest }) => ({
  windowMs: window,
  startUpMs: startUp,
  floodLeadMs: floodLead,
  ...rest,
}));

const gapThreshold = () => duration({ min: 1, max: 60e3 }).optional();

export const measureSchema = object({
  stall: gapThreshold().describe(
    "Threshold of the study's own stall metrics: a longer time without a new frame is a stall. Without it, " +
      `${limitWords(smoothRule)}. The stalls of \`headlineStall\` and W3C freezes are always counted as well.`,
  ),
  headlineStall: gapThreshold().describe(
    'Threshold of the stalls in verdict, tables, figures and causes (`stall-count`, `stall-time`). Without it, ' +
      `${limitWords(stallRule)}.`,
  ),
  smoothGap: gapThreshold().describe(`Longest gap of smooth motion. Without it, ${limitWords(smoothRule)}.`),
}).transform(
  ({ stall = null, headlineStall = null, smoothGap = null }): Measure => ({
    stallMs: stall,
    headlineStallMs: headlineStall,
    smoothGapMs: smoothGap,
  }),
);

/** Schema of a definition file. Each plug-in checks its own parameters. */
export const definitionSchema = object({
  title: text().describe('Title of the report.'),
  question: text().describe('The question that the study answers, one sentence.'),
  source: text().describe('Paper, section, table or figure that the study follows; "own" where there is none.'),
  link: z
    .looseObject({})
    .register(schemaFacts, { accepts: 'object' })
    .describe('The bottleneck and the paths. See [link](#link).'),
  service: choice().register(schemaFacts, service).optional().describe('Short form of an application named `service`.'),
  flood: choice()
    .register(schemaFacts, { accepts: `${service.accepts}, or \`{ id: 'none' }\`` })
    .optional()
    .describe('Short form of an application named `flood`.'),
  tunnel: choice()
    .register(schemaFacts, { accepts: "object: `id` of a [tunnel](#tunnels) and its parameters, or `{ id: 'none' }`" })
    .optional()
    .describe('What the UDP packets of `service` travel in on the link. See [tunnels](tunnels.md).'),
  applications: z
    .record(text(), z.looseObject({}))
    .register(schemaFacts, { accepts: 'object: one entry for each application' })
    .optional()
    .describe(
      'Who uses the link, by name. See [applications](#applications). It replaces `service`, `flood` and `tunnel`.',
    ),
  subject: text()
    .optional()
    .describe(
      'The application that result, tables and figures are about. Without it, the first application with video.',
    ),
  conditions: z
    .record(text(), z.looseObject({ title: text().optional(), baseline: text().optional() }))
    .register(schemaFacts, { accepts: 'object: one entry for each condition' })
    .default({})
    .describe(
      'What is compared. An entry has a `title`, a `baseline` (the condition that it is compared with, if it is not that ' +
        'of the study) and any of `link`, `service`, `flood`, `tunnel`, `applications`; ' +
        'the rest is as in the definition, and an application that is `null` is left out. Without conditions there is one: the definition.',
    ),
  baseline: text()
    .optional()
    .describe('The condition that those without a `baseline` are compared with. Without it, the first one.'),
  vary: z
    .record(text(), z.array(z.unknown()).min(1))
    .register(schemaFacts, { accepts: 'object: a list of values for each path' })
    .default({})
    .describe(
      "Paths and the values that each takes, for example `{ 'link.rtt': ['20ms', '50ms'] }`. Every combination is a condition.",
    ),
  primary: z
    .array(text())
    .min(1)
    .register(schemaFacts, { accepts: 'list of metrics' })
    .optional()
    .describe(
      'Metrics that answer the question, best one or two. The result is about their changes, and their tests are ' +
        'corrected apart from those of all other metrics, which are secondary. Without it, stalled time, frame rate, ' +
        'goodput and 95th percentile of frame latency.',
    ),
  run: runSchema.prefault({}),
  measure: measureSchema.prefault({}),
  require: thresholdsSchema,
  claims: claimsSchema,
  reference: referenceSchema.optional().describe('Published values that the report shows beside the measured ones.'),
});

/** Content of a definition file. Link, applications and conditions are checked in parts (link.ts, applications.ts). */
export type ExperimentDefinition = Omit<Written<typeof definitionSchema>, 'link' | 'applications' | 'conditions'> & {
  link: LinkDefinition & { rate: RateText };
  applications?: Record<string, ApplicationDefinition>;
  conditions?: Record<string, ConditionDefinition>;
};

export function defineExperiment(definition: ExperimentDefinition): ExperimentDefinition {
  return definition;
}
