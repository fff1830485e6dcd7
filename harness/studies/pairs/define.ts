/** Definition of a pairwise study: services, links, and settings of the run. */

import { choice, duration, integer, object, ratio, text, type Written, z } from '../../../core/schema/schema.ts';
import { backendIds } from '../../../core/vocabulary/backends.ts';
import { mostWindowMs } from '../../../core/vocabulary/trial-length.ts';
import { claimsSchema } from '../../definition/claim.ts';
import { runSettings } from '../../definition/run-settings.ts';
import { thresholdsSchema } from '../../definition/threshold.ts';
import { stoppingRules } from './analysis/stopping-rule.ts';

export const runSchema = object({
  window: duration({ min: 1000, max: mostWindowMs })
    .default(60e3)
    .describe('Length of the measured window of each trial. The paper uses 6min.'),
  warmUp: duration({ min: 0, max: 3600e3 })
    .default(30e3)
    .describe(
      'Warm-up: time between the start of both services and the window. The paper uses 2min. ' +
        'A service may need more, for example to fill its buffer.',
    ),
  coolDown: duration({ min: 0, max: 3600e3 })
    .default(5e3)
    .describe('Time after the window in which both services still run. The paper uses 2min.'),
  stopping: choice(stoppingRules)
    .default('sequential')
    .describe(
      'Stopping rule: `sequential`, the rule of the paper (`prudentia`), or `fixed`, which runs `run.repeats` trials of each pair.',
    ),
  repeats: integer({ min: 1, max: 1000 })
    .default(30)
    .describe('Maximum number of trials of a pair; with `fixed`, the number of trials.'),
  soloRepeats: integer({ min: 1, max: 1000 })
    .default(7)
    .describe('Number of trials of each service alone, which measure its cap.'),
  ...runSettings,
  parallel: integer({ min: 0, max: 64 })
    .default(0)
    .describe('Number of trials at the same time, two cores each. 0: as many as the cores allow.'),
  backend: choice(['auto', ...backendIds])
    .default('auto')
    .describe(
      'The program that shapes the links. See [link backends](studies.md#link-backends). ' +
        'With a service that goes to the Internet, `auto` is `tc`.',
    ),
  queueLog: choice(['summary', 'full'])
    .default('summary')
    .describe(
      'What is kept of the log of every packet at the bottleneck: a summary for each service, or the log as well.',
    ),
  externalLoss: ratio({ min: 0, max: 1 })
    .default(0.0005)
    .describe('Share of packets lost beyond the bottleneck above which a trial is void.'),
  privateNetworks: z
    .boolean()
    .default(false)
    .describe('Lets live URLs reach private networks (RFC 1918 and similar) and this machine.'),
}).transform(({ window, warmUp, coolDown, externalLoss, ...rest }) => ({
  windowMs: window,
  warmUpMs: warmUp,
  coolDownMs: coolDown,
  externalLossRatio: externalLoss,
  ...rest,
}));

export type PairsRun = z.output<typeof runSchema>;

/** Converts resolved settings back to the form that the schema accepts. */
export function writtenRun({
  windowMs,
  warmUpMs,
  coolDownMs,
  externalLossRatio,
  ...rest
}: PairsRun): z.input<typeof runSchema> {
  return {
    window: `${windowMs}ms`,
    warmUp: `${warmUpMs}ms`,
    coolDown: `${coolDownMs}ms`,
    externalLoss: `${externalLossRatio * 100}%`,
    ...rest,
  };
}

/** Short name of a contestant, valid as a folder name. */
export const contestantName = text().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, {
  error: 'must be small letters and digits, with single dashes or dots between',
});

/** Description of a service that the user writes. */
export const contestantSchema = object({
  name: contestantName,
  title: text().optional(),
  models: text().optional(),
  service: z.looseObject({ id: text() }),
});

export const pairsSchema = object({
  title: text().optional().describe('Title of the report. By default the number of services.'),
  services: z
    .array(z.union([text(), contestantSchema]))
    .min(1, { error: 'no service is named' })
    .optional()
    .describe('Names of shipped services, paths of descriptions (JSON), or descriptions themselves.'),
  links: z
    .array(text())
    .min(1, { error: 'no link is named' })
    .optional()
    .describe('Rates, as in `8mbit`; `-deep` after it doubles the queue.'),
  findings: z
    .boolean()
    .default(false)
    .describe('Runs only what the claims of the paper compare, with services and links of its own.'),
  within: duration({ min: 60e3, max: 7 * 86_400e3 })
    .optional()
    .describe('Time for the whole study: the window is as long as that allows, where `run.window` is not written.'),
  run: runSchema.prefault({}),
  require: thresholdsSchema,
  claims: claimsSchema,
}).refine(({ findings, services }) => findings !== (services !== undefined), {
  path: ['services'],
  error: 'must be written, unless findings is true: those have services of their own',
});

export type PairsDefinition = Written<typeof pairsSchema>;

export function definePairs(definition: PairsDefinition): PairsDefinition {
  return definition;
}
