import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onceFor } from '../../../../../harness/analysis/derive/once.ts';

test('computed once for a record, and again for another', async () => {
  let computed = 0;
  const give = onceFor(async (record: { n: number }) => {
    computed += 1;
    return record.n;
  });
  const [one, other] = [{ n: 1 }, { n: 2 }];
  assert.deepEqual(await Promise.all([give(one), give(one), give(other)]), [1, 1, 2]);
  assert.equal(computed, 2);
});
