import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Newest } from '../../../../harness/demo/newest.ts';

test('wishes are carried out one at a time, and those that were overtaken are not', async () => {
  const begun: number[] = [];
  let release = () => {};
  const newest = new Newest<number>(wish => {
    begun.push(wish);
    return new Promise(resolve => {
      release = resolve;
    });
  });
  assert.ok(!newest.busy);
  for (const wish of [1, 2, 3]) newest.want(wish);
  assert.deepEqual(begun, [1]);
  assert.ok(newest.busy);
  release();
  await new Promise(setImmediate);
  assert.deepEqual(begun, [1, 3]);
  release();
  await new Promise(setImmediate);
  assert.ok(!newest.busy);
  newest.want(4);
  assert.deepEqual(begun, [1, 3, 4]);
  newest.want(5);
  const end = newest.end();
  release();
  await end;
  assert.deepEqual(begun, [1, 3, 4]);
});
