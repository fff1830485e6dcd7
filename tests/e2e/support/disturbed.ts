/** Studies on a machine that disturbs their trials: what such a machine voids says nothing about the product. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { RunFolder } from '../../../harness/record/run-folder.ts';
import { finishOrStop, type Place } from './run-command.ts';

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

/** Says how many tries a study took for its trials. */
export function sayTries(context: TestContext, out: string): void {
  const folder = RunFolder.open(out);
  const [trials, tries] = [folder.trialNames().length, folder.trialNames({ voided: true }).length];
  context.diagnostic(`${tries} tries for ${trials} trials`);
}

/**
 * Runs a study in a place, within `ms`. True where it has results. Where the machine disturbed each try of one of these
 * trials, the test is skipped, and this is false; a study that ends in another way fails the test.
 */
export async function studyHasResults(
  context: TestContext,
  place: Place,
  definition: object,
  trials: readonly string[],
  ms: number,
): Promise<boolean> {
  const file = join(place.path, 'study.json');
  writeFileSync(file, JSON.stringify(definition));
  const { status, stdout, stderr } = await finishOrStop(place.start(['experiment', file, '--out', place.out]), ms);
  const disturbed = status === 3 || status === 130 ? disturbedBy(place.out, trials) : undefined;
  if (disturbed !== undefined) {
    context.skip(disturbed);
    return false;
  }
  assert.equal(status, 0, stdout + stderr);
  sayTries(context, place.out);
  return true;
}
