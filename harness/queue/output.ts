/**
 * What a worker says that came of a trial. It comes out of the database, so whoever has its password may have written
 * it.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from '../../core/schema.ts';
import type { Planned } from '../planner/planner.ts';
import type { TrialFile } from '../record/trial-file.ts';
import { trialFileName } from '../record/trial-name.ts';
import { checkedTrialFile } from '../record/trial-schema.ts';

/** Its record, or why it could not begin. */
export type Output = { file: TrialFile } | { refusal: { code: string; message: string; hint?: string | undefined } };

/** As text, bytes: the largest that is looked at. One of a trial has some tens of kB. */
export const mostOutputBytes = 64 * 2 ** 20;

const refusalSchema = z.object({
  refusal: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});

/** Throws `bad-run-folder` where it is neither. */
export function checkedOutput(output: unknown): Output {
  const refusal = refusalSchema.safeParse(output);
  if (refusal.success) return refusal.data;
  return { file: checkedTrialFile((output as { file?: unknown } | null)?.file ?? null, trialFileName) };
}

/** True where the record is of that trial as it was planned. */
export function isOf(file: TrialFile, study: string, { trial, condition }: Planned, attempt: number): boolean {
  // as the order said it on its way to the worker
  const planned: unknown = JSON.parse(JSON.stringify({ study, trial, condition, attempt }));
  return isDeepStrictEqual(
    { study: file.study, trial: file.trial, condition: file.condition, attempt: file.attempt },
    planned,
  );
}
