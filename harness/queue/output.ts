/**
 * Output of a try as read from the database. The output is checked, because everyone who has the database's password
 * can write there.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from '../../core/schema/schema.ts';
import { requireShallow } from '../../core/shallow.ts';
import { checkedTrialFile } from '../record/checked-trial.ts';
import type { TrialFile } from '../record/trial-file.ts';
import { trialFileName } from '../record/trial-name.ts';
import type { Planned } from '../studies/planner/planner.ts';

/** Record of the try, or the reason why the try could not begin. */
export type Output = { file: TrialFile } | { refusal: { code: string; message: string; hint?: string | undefined } };

/** Size of the largest output that is read as text, bytes. The output of a trial has some tens of kB. */
export const mostOutputBytes = 64 * 2 ** 20;

const refusalSchema = z.object({
  refusal: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});

/** Returns the output. Throws `bad-run-folder` if it is neither a record nor a refusal. */
export function checkedOutput(output: unknown): Output {
  requireShallow(output, trialFileName);
  const refusal = refusalSchema.safeParse(output);
  if (refusal.success) return refusal.data;
  return { file: checkedTrialFile((output as { file?: unknown } | null)?.file ?? null, trialFileName) };
}

/** Returns true if the record is that of try `attempt` of the planned trial. */
export function isOf(file: TrialFile, study: string, { trial, condition }: Planned, attempt: number): boolean {
  // the worker got the plan as JSON, so the plan is compared after the same conversion
  const planned: unknown = JSON.parse(JSON.stringify({ study, trial, condition, attempt }));
  return isDeepStrictEqual(
    { study: file.study, trial: file.trial, condition: file.condition, attempt: file.attempt },
    planned,
  );
}
