import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlugins } from '../../../../../../core/plugins.ts';
import { conditionsMeant } from '../../../../../../core/vocabulary/condition-name.ts';
import { resolveClaims } from '../../../../../../harness/analysis/gate/claims.ts';
import type { MetricPlugin } from '../../../../../../harness/analysis/metrics/metric.ts';
import { loadStudy, studyNames } from '../../../../../../harness/definition/load.ts';
import { makePlan } from '../../../../../../harness/definition/plan.ts';
import { loadRegistries } from '../../../../../../harness/trial/registries.ts';

const registries = await loadRegistries();
const metrics = await loadPlugins<MetricPlugin>(
  new URL('../../../../../../harness/analysis/metrics/', import.meta.url),
  'metric',
);
const allQuantities = [...metrics.values()].flatMap(metric => metric.quantities);
const quantities = new Set(allQuantities.map(quantity => quantity.id));
/** Rows of reports that are computed from quantities. References may contain them. */
const derived = ['harm-factor'];

for (const name of await studyNames()) {
  test(`${name}: makes a plan`, async () => {
    const { definition } = await loadStudy(name);
    const plan = makePlan(name, definition, registries);
    assert.equal(plan.trials.length, plan.conditions.length * plan.run.repeats);
    assert.equal(new Set(plan.trials.map(trial => trial.id)).size, plan.trials.length);
    assert.ok(plan.question.endsWith('?'), 'its question is a question');
    assert.equal(resolveClaims(plan, allQuantities).length, definition.claims?.length ?? 0);
  });

  test(`${name}: survives JSON`, async () => {
    const { definition } = await loadStudy(name);
    assert.deepEqual(JSON.parse(JSON.stringify(definition)), definition);
  });

  test(`${name}: published values are for its own conditions and for metrics that exist`, async () => {
    const { definition } = await loadStudy(name);
    const plan = makePlan(name, definition, registries);
    const { values: ofSubject = {}, others = {} } = definition.reference ?? {};
    for (const [quantity, values] of [...Object.entries(ofSubject), ...Object.entries(others)]) {
      assert.ok(quantities.has(quantity) || derived.includes(quantity), quantity);
      for (const condition of Object.keys(values))
        assert.ok(conditionsMeant(condition, plan.conditions).length > 0, condition);
    }
  });
}

test('there are studies', async () => assert.ok((await studyNames()).length > 0));
