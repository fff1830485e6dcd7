/** What a planner asks workers for, as it is signed: a run with its plan, and each of its trials. */
import { object, z } from '../../core/schema.ts';
import type { Planned } from '../planner/planner.ts';

/** Of the texts below. */
export const orderFormat = 1;

/** What a lane needs to know that is the same for all trials of a run. */
export type LaneSettings = {
  study: string;
  places: number;
  preflight: boolean;
  keep: number;
  privateNetworks: boolean;
};

const kindsOfStudy = ['experiment', 'pairs', 'game'] as const;

/** A run: who checks whether a machine can carry it, and the plan to check. */
export type RunOrder = {
  format: typeof orderFormat;
  run: string;
  code: string;
  kind: (typeof kindsOfStudy)[number];
  /** Name of the planner's machine, which takes the records in. */
  machine: string;
  plan: unknown;
  /** SHA-256 of the files that the plan names, by path. */
  files: Record<string, string>;
  lane: LaneSettings;
};

/** One trial of it, in one of its tries. */
export type TrialOrder = { format: typeof orderFormat; run: string; job: string; planned: Planned; attempt: number };

const runOrder = object({
  format: z.literal(orderFormat),
  run: z.string(),
  code: z.string(),
  kind: z.enum(kindsOfStudy),
  machine: z.string(),
  plan: z.unknown(),
  files: z.record(z.string(), z.string()),
  lane: object({
    study: z.string(),
    places: z.int().min(1),
    preflight: z.boolean(),
    keep: z.int().min(1),
    privateNetworks: z.boolean(),
  }),
});
const trialOrder = object({
  format: z.literal(orderFormat),
  run: z.string(),
  job: z.string(),
  planned: z.looseObject({}),
  attempt: z.int().min(1),
});

function parsed<T>(schema: z.ZodType, text: string): T | undefined {
  try {
    return schema.parse(JSON.parse(text)) as T;
  } catch {
    return undefined;
  }
}

/**
 * Undefined where the text is no such order. A plan and a trial are what the planner's same code wrote: its signature
 * stands for them.
 */
export const readRunOrder = (text: string): RunOrder | undefined => parsed(runOrder, text);
export const readTrialOrder = (text: string): TrialOrder | undefined => parsed(trialOrder, text);
