import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfPlace } from '../../../../core/vocabulary/hops.ts';
import { earlierNames, presentName } from '../../../../harness/definition/value-name.ts';
import { loadQuantities } from '../../../../harness/studies/metrics.ts';

test('each earlier name stands for a value that there is', async () => {
  const quantities = await loadQuantities();
  for (const [earlier, { metric, of }] of Object.entries(earlierNames)) {
    const quantity = quantities.find(({ id }) => id === metric);
    assert.ok(quantity !== undefined, `${earlier}: there is no ${metric}`);
    const isThere = of === undefined || (of === 'others' ? quantity.together === true : isOfPlace(quantity, of));
    assert.ok(isThere, `${earlier}: there is no ${metric} of ${of}`);
    assert.ok(!quantities.some(({ id }) => id === earlier), `${earlier} is a present name`);
  }
});

test('a present name, or a word that an object inherits, stands for itself', () => {
  assert.deepEqual(presentName('goodput'), { metric: 'goodput' });
  assert.deepEqual(presentName('toString'), { metric: 'toString' });
  assert.deepEqual(presentName('flood-wire-rate'), { metric: 'wire-rate', of: 'others' });
});
