import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patienceMs } from '../../../../../harness/services/shared/patience.ts';

test('what begins over a long path is waited for longer, by the round trips that it takes', () => {
  assert.equal(patienceMs(15_000, {}, 'firstFrame'), 15_000);
  assert.equal(patienceMs(15_000, { baseRttMs: 0 }, 'page'), 15_000);
  assert.equal(patienceMs(15_000, { baseRttMs: 40 }, 'page'), 15_400);
  // a page takes at least four round trips: TCP, the page, the files that it loads, its connection
  for (const rttMs of [1000, 5000, 20_000]) {
    assert.ok(patienceMs(15_000, { baseRttMs: rttMs }, 'page') > 4 * rttMs + 15_000);
    assert.ok(patienceMs(15_000, { baseRttMs: rttMs }, 'firstFrame') > 10 * rttMs + 15_000);
  }
});
