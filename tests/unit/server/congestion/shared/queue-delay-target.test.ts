import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueDelayTarget } from '../../../../../server/congestion/shared/queue-delay-target.ts';
import { near } from '../gcc/near.ts';

const lowMs = 100;
const highMs = 400;

/** Feeds `samples` samples, repeating the delays. */
function feed(target: QueueDelayTarget, delaysMs: readonly number[], samples: number, lossEventRatio = 0): void {
  for (let i = 0; i < samples; i++) target.update(delaysMs[i % delaysMs.length]!, lossEventRatio);
}

test('an empty queue leaves the target low', () => {
  const target = new QueueDelayTarget(lowMs, highMs);
  feed(target, [0, 20, 5], 300);
  assert.equal(target.targetMs, lowMs);
});

test("a long queue that stands still is another flow's: the target is mean and deviation", () => {
  const target = new QueueDelayTarget(lowMs, highMs);
  feed(target, [250], 200);
  near(target.targetMs, 250);
  feed(target, [240, 260], 200);
  near(target.targetMs, 250 + 10);
});

test('the target is never above the high one', () => {
  const target = new QueueDelayTarget(lowMs, highMs);
  feed(target, [900], 200);
  assert.equal(target.targetMs, highMs);
});

test('with losses the target is half as much again', () => {
  const target = new QueueDelayTarget(lowMs, highMs);
  feed(target, [200], 200, 0.01);
  near(target.targetMs, 1.5 * 200);
});

test('a queue that swings is not taken for another flow: the target falls by a tenth with each sample', () => {
  const target = new QueueDelayTarget(lowMs, highMs);
  feed(target, [300], 200);
  near(target.targetMs, 300);
  // deviation 100 ms = 1, variance 1 > 0.2; the first samples still look steady
  feed(target, [200, 400], 200);
  assert.equal(target.targetMs, lowMs);
});

test('a queue that has gone takes the target with it by halves', () => {
  const target = new QueueDelayTarget(lowMs, highMs);
  feed(target, [380], 200);
  near(target.targetMs, 380);
  // 50 empty samples of 200: mean 0, variance 3.8^2 * 0.1875 = 2.7, deviation 1.6: new target 165 ms, above the low one
  feed(target, [0], 50);
  assert.equal(target.targetMs, lowMs);
});
