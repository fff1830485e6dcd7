/**
 * What an experiment is: a file of literals that a networking person can read.
 *
 *   export default defineExperiment({ title: ..., link: { rate: '40mbit', ... }, ... });
 *
 * Nothing in a definition is computed: it must survive a round trip through JSON, so that the plan
 * written beside every result is the whole truth.
 */
import { defaultMeasure } from '../../core/measure.ts';
import type { Measure } from '../../core/measure.ts';
import type { DurationText, RateText } from '../../core/units.ts';
import { choice as oneOf, duration, integer, object, text, z } from '../../core/schema.ts';
import type { ApplicationDefinition, Choice } from './applications.ts';
import type { LinkDefinition } from './link.ts';
import { thresholdsSchema } from './threshold.ts';
import type { ThresholdDefinition } from './threshold.ts';

/** What a condition may change; everything it does not name stays as the definition has it. */
export type ConditionDefinition = {
  title?: string;
  link?: LinkDefinition;
  service?: { [parameter: string]: unknown };
  flood?: { [parameter: string]: unknown };
  /** null: the condition does without it. */
  applications?: Record<string, ApplicationDefinition | null>;
};

export type ExperimentDefinition = {
  title: string;
  /** The question that the study answers, one sentence. */
  question: string;
  /** Paper, section, table or figure that it carries on; "own" where it is ours. */
  source: string;
  link: LinkDefinition & { rate: RateText };
  /** The short form of two applications, "service" and "flood"; a flood of id "none" is none. */
  service?: Choice;
  flood?: Choice;
  /** Who uses the link, by name. */
  applications?: Record<string, ApplicationDefinition>;
  /** The application that verdict, tables and figures are about; the first one with pictures where not said. */
  subject?: string;
  /** What is compared, in this order. Without it there is one condition: the definition itself. */
  conditions?: Record<string, ConditionDefinition>;
  /** The condition that the others are compared with; the first one where not said. */
  baseline?: string;
  /** Paths and the values each takes; every combination is a condition of its own. */
  vary?: Record<string, unknown[]>;
  run?: { window?: DurationText; startUp?: DurationText; floodLead?: DurationText; repeats?: number; retries?: number; parallel?: number; preflight?: boolean; queueLog?: 'summary' | 'full' | 'off'; pcap?: boolean; seed?: number };
  /** What is chosen of how it is measured. */
  measure?: { stall?: DurationText };
  /** What the results must keep to; a run that misses one ends with 3. */
  require?: ThresholdDefinition[];
  /** Published values to stand beside ours: metric -> condition -> what the paper prints. */
  reference?: { title: string; note?: string; /** How this study differs from the published one. */ deviations?: string; values: Record<string, Record<string, string>>; /** Of estimate and bitrate, by controller. */ correlations?: Record<string, string> };
};

export function defineExperiment(definition: ExperimentDefinition): ExperimentDefinition {
  return definition;
}

const choice = z.looseObject({ id: text() });

export const runSchema = object({
  window: duration({ min: 1000, max: 3600e3 }).default(40e3).describe('Measured window of each trial.'),
  startUp: duration({ min: 3000, max: 120e3 }).default(3000)
    .describe('Time between the first picture and the window, never measured: rate ramp-up, just-in-time compilation.'),
  floodLead: duration({ min: 0, max: 60e3 }).default(0)
    .describe('How long the flood runs before the client is started; the client takes about a second more to show a picture.'),
  repeats: integer({ min: 1, max: 1000 }).default(1).describe('Valid trials wanted of each condition.'),
  retries: integer({ min: 0, max: 10 }).default(2).describe('How often a trial that was voided is run again.'),
  parallel: integer({ min: 1, max: 64 }).default(1).describe('Trials at once, each on hosts of its own; a trial keeps about two cores busy.'),
  preflight: z.boolean().default(true).describe('Proves each link with probes before its first trial, in about eight seconds.'),
  queueLog: oneOf(['summary', 'full', 'off']).default('summary').describe('What is kept of the log of every packet at the bottleneck: what each sender met there, the log itself as well, or nothing.'),
  pcap: z.boolean().default(false).describe('Captures the headers of what leaves the bottleneck into a pcap file in each trial\'s folder.'),
  seed: integer({ min: 0, max: 2 ** 48 }).default(1).describe('Seed of all random choices.'),
}).transform(({ window, startUp, floodLead, ...rest }) => ({ windowMs: window, startUpMs: startUp, floodLeadMs: floodLead, ...rest }));

const measureSchema = object({
  stall: duration({ min: 1, max: 60e3 }).default(defaultMeasure.stallMs).describe('A longer time without a new picture is a stall by the study\'s own measure; the paper\'s 200 ms and W3C\'s freezes are counted beside it in any case.'),
}).transform(({ stall }): Measure => ({ stallMs: stall }));

/** Shape of a definition file; what plug-ins read is checked by the plug-ins. */
export const definitionSchema = object({
  title: text(),
  question: text(),
  source: text(),
  link: z.looseObject({}),
  service: choice.optional(),
  flood: choice.optional(),
  applications: z.record(text(), z.looseObject({})).optional(),
  subject: text().optional(),
  conditions: z.record(text(), z.looseObject({ title: text().optional() })).default({}),
  baseline: text().optional(),
  vary: z.record(text(), z.array(z.unknown()).min(1)).default({}),
  run: runSchema.prefault({}),
  measure: measureSchema.prefault({}),
  require: thresholdsSchema,
  reference: object({
    title: text(), note: text().optional(), deviations: text().optional(), values: z.record(text(), z.record(text(), text())), correlations: z.record(text(), text()).optional(),
  }).optional(),
});
