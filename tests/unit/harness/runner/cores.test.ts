import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admit, laneCores } from '../../../../harness/runner/cores.ts';

test('a trial at once for every two cores, and one everywhere', () => {
  for (const [lanes, cores] of [[1, 1], [1, 2], [2, 4], [4, 8], [7, 15]] as const) admit(lanes, cores);
  for (const [lanes, cores] of [[2, 2], [2, 3], [3, 4], [9, 16]] as const) assert.throws(() => admit(lanes, cores), { code: 'usage', message: /run\.parallel: \d+ trials at once would disturb each other on \d+ cores/ });
});

test('from four cores on the routers have the first for themselves, and each lane its share of the rest', () => {
  assert.equal(laneCores(0, 1, 2), null);
  assert.deepEqual(laneCores(0, 1, 4), { router: [0], others: [1, 2, 3] });
  assert.deepEqual([0, 1].map(lane => laneCores(lane, 2, 6)!.others), [[1, 3, 5], [2, 4]]);
});

test('every lane that is admitted has a core', () => {
  for (let cores = 4; cores <= 64; cores++) {
    const lanes = Math.floor(cores / 2);
    const shares = Array.from({ length: lanes }, (_, lane) => laneCores(lane, lanes, cores)!.others);
    assert.ok(shares.every(share => share.length > 0));
    assert.deepEqual(shares.flat().sort((a, b) => a - b), Array.from({ length: cores - 1 }, (_, k) => k + 1));
  }
});
