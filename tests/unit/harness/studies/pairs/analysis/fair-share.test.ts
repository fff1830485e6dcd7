import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxMinFairBps, shareRatio } from '../../../../../../harness/studies/pairs/analysis/fair-share.ts';

/** Computed by hand: the paper's services (table 1), Mbit/s. */
const cases: [title: string, capacity: number, caps: (number | null)[], due: number[]][] = [
  ['two that take all they get', 8, [null, null], [4, 4]],
  ['a video of 13 beside a download at 50', 50, [13, null], [13, 37]],
  ['videos of 13 and 8 at 8: both could take more than half', 8, [13, 8], [4, 4]],
  ['two calls that leave room', 8, [1.5, 2.6], [1.5, 2.6]],
  ['a cap of 45 does not bind at 50', 50, [45, null], [25, 25]],
  ['three', 50, [13, 14, null], [13, 14, 23]],
  ['a cap of just half', 8, [4, null], [4, 4]],
  ['alone', 8, [null], [8]],
  ['alone with a cap', 8, [2.6], [2.6]],
];
for (const [title, capacity, caps, due] of cases)
  test(title, () => assert.deepEqual(maxMinFairBps(capacity, caps), due));

test('what is due never exceeds the link or a cap, and nothing is left that somebody could take', () => {
  for (let seed = 1; seed < 200; seed++) {
    const caps = Array.from({ length: (seed % 5) + 1 }, (_, k) =>
      (seed * (k + 3)) % 7 === 0 ? null : ((seed * 13 * (k + 1)) % 29) + 1,
    );
    const capacity = (seed % 40) + 1;
    const due = maxMinFairBps(capacity, caps);
    const total = due.reduce((a, b) => a + b, 0);
    assert.ok(total <= capacity + 1e-9);
    const hungry = due.filter((value, k) => value < (caps[k] ?? Infinity) - 1e-9);
    if (hungry.length > 0) {
      assert.ok(Math.abs(total - capacity) < 1e-9, 'the link is full where somebody wants more');
      assert.ok(
        hungry.every(value => Math.abs(value - Math.max(...due)) < 1e-9),
        'who wants more has the most',
      );
    }
  }
});

test('a share is what one got of what one was due', () => {
  assert.equal(shareRatio(2e6, 4e6), 0.5);
  assert.equal(shareRatio(0, 4e6), 0);
  assert.equal(shareRatio(1, 0), null);
});
