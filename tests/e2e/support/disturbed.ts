/** Studies on a machine that disturbs their trials: what such a machine voids says nothing about the product. */
import { RunFolder } from '../../../harness/record/run-folder.ts';

/**
 * Why none of these trials' tries counts, for a test to be skipped with: undefined where each trial has a result, and
 * also where any try is void for anything but the machine, so that the test goes on and fails.
 */
export function disturbedBy(out: string, trials: readonly string[]): string | undefined {
  const folder = RunFolder.open(out);
  const missing = trials.find(name => !folder.trialNames().includes(name));
  if (missing === undefined) return undefined;
  const voided = folder.trialNames({ voided: true }).filter(name => name.startsWith(`${missing}.void`));
  const reasons = voided.map(name =>
    folder.trialFile(name).verdict.findings.filter(({ status }) => status === 'invalid'),
  );
  if (reasons.length === 0 || reasons.flat().some(({ kind }) => kind !== 'host')) return undefined;
  return `the machine disturbed each of ${reasons.length} tries: ${reasons
    .at(-1)!
    .map(({ message }) => message)
    .join('; ')}`;
}
