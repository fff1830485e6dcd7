import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LossModel } from '../../../../core/vocabulary/link.ts';
import type { Fate, Passes } from '../../../../harness/virtual/link.ts';
import { RandomLoss } from '../../../../harness/virtual/random-loss.ts';

/** Counts what reaches the queue. Every packet arrives after 10 ms. */
class Counting implements Passes {
  count = 0;

  fateOf(_sizeBytes: number, nowMs: number): Fate {
    this.count++;
    return { kind: 'arrives', atMs: nowMs + 10, queueMs: 0 };
  }
}

/** Passes packets, 1 ms apart. Returns whether each was lost, and how many reached the queue. */
function sent(loss: LossModel, packets = 20_000, seed = 1) {
  const inner = new Counting();
  const lossy = new RandomLoss(inner, loss, seed);
  const lost = Array.from({ length: packets }, (_, k) => lossy.fateOf(1000, k).kind === 'lost');
  return { lost, reached: inner.count };
}

const shareOf = (lost: readonly boolean[]) => lost.filter(Boolean).length / lost.length;

test('a loss before the queue keeps packets from it, and one behind it does not', () => {
  const before = sent({ kind: 'independent', ratio: 0.1, where: 'before' });
  assert.ok(Math.abs(shareOf(before.lost) - 0.1) < 0.01, String(shareOf(before.lost)));
  assert.equal(before.reached, before.lost.filter(lost => !lost).length);
  const after = sent({ kind: 'independent', ratio: 0.1, where: 'after' });
  assert.equal(after.reached, after.lost.length);
  assert.deepEqual(after.lost, before.lost);
});

test('bursts have the share and the mean length of the model', () => {
  const { lost } = sent({
    kind: 'gilbert-elliott',
    toBadRatio: 1 / 12,
    toGoodRatio: 1 / 3,
    badLossRatio: 1,
    goodLossRatio: 0,
    where: 'after',
  });
  assert.ok(Math.abs(shareOf(lost) - 0.2) < 0.02, String(shareOf(lost)));
  const bursts = lost.filter((one, k) => one && lost[k - 1] !== true).length;
  const length = lost.filter(Boolean).length / bursts;
  assert.ok(Math.abs(length - 3) < 0.2, String(length));
});

test('another seed loses other packets', () => {
  const loss: LossModel = { kind: 'independent', ratio: 0.5, where: 'after' };
  assert.notDeepEqual(sent(loss, 100, 1).lost, sent(loss, 100, 2).lost);
});
