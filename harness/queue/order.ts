/** Orders that the planner signs for the workers: one for the run with its plan, and one for each job. */
import { object, z } from '../../core/schema/schema.ts';
import { mostHops } from '../../core/vocabulary/hops.ts';
import type { HopSpan } from '../../core/vocabulary/link.ts';
import type { Planned } from '../studies/planner/planner.ts';

/** Version of the formats of the two orders below. */
export const orderFormat = 1;

/** Settings of a lane, which are the same for all trials of a run. */
export type LaneSettings = {
  study: string;
  places: number;
  /** Missing: 1. */
  hops?: number;
  /** Missing: all bottlenecks between the hosts of every place. */
  spans?: readonly (HopSpan | null)[];
  priority: boolean;
  preflight: boolean;
  keep: number;
  privateNetworks: boolean;
};

/** Order for a run. Each worker checks that its machine can run the plan in this order. */
export type RunOrder = {
  format: typeof orderFormat;
  run: string;
  code: string;
  /** Kind of study of the plan (harness/studies). */
  kind: string;
  /** Name of the planner's machine, which collects the records. */
  machine: string;
  plan: unknown;
  /** SHA-256 of each file that the plan names, by the path of the file. */
  files: Record<string, string>;
  lane: LaneSettings;
};

/** Order for one job, which is one try of one trial. */
export type TrialOrder = { format: typeof orderFormat; run: string; job: string; planned: Planned; attempt: number };

const hop = z.int().min(1).max(mostHops);
const runOrder = object({
  format: z.literal(orderFormat),
  run: z.string(),
  code: z.string(),
  kind: z.string(),
  machine: z.string(),
  plan: z.unknown(),
  files: z.record(z.string(), z.string()),
  lane: object({
    study: z.string(),
    places: z.int().min(1),
    hops: hop.exactOptional(),
    spans: z.array(object({ from: hop, to: hop }).nullable()).exactOptional(),
    priority: z.boolean(),
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
 * Returns the run order in a text; undefined if the text is not a run order. The plan and the trials are not checked
 * further, because a trusted planner of the same version has signed the order.
 */
export const readRunOrder = (text: string): RunOrder | undefined => parsed(runOrder, text);
export const readTrialOrder = (text: string): TrialOrder | undefined => parsed(trialOrder, text);
