/** Finds the expectations that a sender fails in a case of a conformance study in virtual time. */
import assert from 'node:assert/strict';
import { plugin } from '../../harness/studies/conformance/index.ts';
import { type ConformancePlan, makeConformancePlan } from '../../harness/studies/conformance/plan.ts';
import { virtualOutcome, virtualValues } from '../../harness/studies/conformance/virtual-cell.ts';
import { loadControllers } from '../../harness/studies/conformance/virtual-course.ts';
import { loadRegistries } from '../../harness/trial/registries.ts';

export const means = { registries: await loadRegistries(), controllers: await loadControllers() };

/** Returns the plan of a shipped study, with changes of its definition. */
export async function shippedPlan(name: string, changes: object = {}): Promise<ConformancePlan> {
  const { definition } = await plugin.load(name);
  return makeConformancePlan(name, { ...definition, ...changes }, means.registries);
}

/** Returns the measures that fail, and all values in words. */
export function failuresOf(plan: ConformancePlan, id: string, sender: string): { failed: string[]; words: string } {
  const { expectations } = plan.cases.find(one => one.id === id)!;
  const values = virtualValues(`${id}-${sender}`, plan, means);
  assert.ok(typeof values !== 'string', String(values));
  const failed = expectations.filter(one => virtualOutcome([one], values).verdict === 'failed');
  return { failed: failed.map(({ measure }) => measure), words: JSON.stringify(values) };
}
