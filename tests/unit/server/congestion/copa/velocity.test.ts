import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Velocity } from '../../../../../server/congestion/copa/velocity.ts';

const loopMs = 100;
const delta = 0.5;

/** Updates once per loop while the window moves by `steps`; returns the velocity after each update. */
function run(velocity: Velocity, steps: readonly number[], windowPackets = 1000, fromMs = 0): number[] {
  let nowMs = fromMs;
  return steps.map(step => {
    velocity.update(step > 0 ? 'up' : 'down', windowPackets, delta, nowMs, loopMs);
    windowPackets += step;
    nowMs += loopMs;
    return velocity.value;
  });
}

test('it doubles with every loop once the direction has been the same for three', () => {
  // the first update starts the first loop, the second ends it
  assert.deepEqual(run(new Velocity(), [1, 1, 1, 1, 1, 1]), [1, 1, 1, 2, 4, 8]);
  assert.deepEqual(run(new Velocity(), [-1, -1, -1, -1, -1]), [1, 1, 1, 2, 4]);
});

test('another direction takes it back to 1, within the loop, too', () => {
  const velocity = new Velocity();
  run(velocity, [1, 1, 1, 1, 1]);
  assert.equal(velocity.value, 4);
  velocity.update('down', 1000, delta, 410, loopMs);
  assert.equal(velocity.value, 1);
  assert.deepEqual(run(velocity, [-1, -1, -1, -1], 1000, 410), [1, 1, 1, 2]);
});

test('at velocity 1 a wish for the other direction does not begin a new loop: what the window did counts', () => {
  const velocity = new Velocity();
  const values: number[] = [];
  for (let loop = 0; loop < 4; loop++) {
    velocity.update('up', 1000 + loop, delta, loop * loopMs, loopMs);
    values.push(velocity.value);
    if (velocity.value === 1) velocity.update('down', 1000 + loop, delta, loop * loopMs + 50, loopMs);
  }
  assert.deepEqual(values, [1, 1, 1, 2]);
});

test('within a loop nothing doubles', () => {
  const velocity = new Velocity();
  for (let nowMs = 0; nowMs < 100; nowMs += 5) velocity.update('up', 1000 + nowMs, delta, nowMs, loopMs);
  assert.equal(velocity.value, 1);
});

test('a loop changes the window by all of it at most', () => {
  // v / delta <= window: 5 x 0.5 = 2.5
  assert.deepEqual(
    run(new Velocity(), [0.01, 0.01, 0.01, 0.01, 0.01, 0.01], 5).map(value => Math.round(value * 10) / 10),
    [1, 1, 1, 2, 2.5, 2.5],
  );
  assert.equal(run(new Velocity(), [0.01, 0.01, 0.01, 0.01], 1).at(-1), 1);
});
