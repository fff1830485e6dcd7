import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossThreshold, predictedLosses } from '../../../../shaper/tc/loss.ts';

const media = { source: '10.0.1.2', destination: '10.0.2.2', protocol: 17 };
const count = 20_000;
const losses = (seed: number, ratio: number, flow = media) => predictedLosses(seed, ratio, flow, count);
/** Half the width of the interval that holds 99 % of all binomial counts (normal approximation). */
const spread99 = (n: number, p: number) => 2.576 * Math.sqrt(n * p * (1 - p));
const both = (a: number[], b: number[]) => a.filter(k => b.includes(k)).length;

test('a probability becomes a threshold of 32 bits', () => {
  assert.deepEqual([0, 0.5, 1].map(lossThreshold), [0, 2 ** 31, 2 ** 32 - 1]);
  assert.equal(lossThreshold(0.02), Math.round(0.02 * 4_294_967_296));
  assert.equal(lossThreshold(1e-12), 0);
});

test('as many packets are lost as were asked for', () => {
  for (const ratio of [0.005, 0.02, 0.5]) {
    for (const seed of [1, 2, 2 ** 53 - 1]) {
      const lost = losses(seed, ratio);
      assert.ok(Math.abs(lost.length - count * ratio) <= spread99(count, ratio), `${ratio}, seed ${seed}: ${lost.length} of ${count}`);
    }
  }
  assert.deepEqual(losses(1, 0), []);
});

test('which they are is the seed\'s alone', () => {
  assert.deepEqual(losses(7, 0.02), losses(7, 0.02));
  assert.deepEqual(predictedLosses(7, 0.02, media, 100), losses(7, 0.02).filter(k => k < 100));
  assert.notDeepEqual(losses(7, 0.02), losses(8, 0.02));
});

test('a higher probability loses the same packets and more', () => {
  const few = losses(7, 0.005);
  assert.equal(both(few, losses(7, 0.02)), few.length);
});

test('the losses of different flows, protocols, directions and seeds have nothing to do with each other', () => {
  const one = losses(7, 0.5);
  const others = {
    flow: losses(7, 0.5, { ...media, source: '10.0.3.2' }), protocol: losses(7, 0.5, { ...media, protocol: 6 }),
    direction: losses(7, 0.5, { ...media, source: media.destination, destination: media.source }), seed: losses(8, 0.5),
  };
  for (const [name, other] of Object.entries(others)) {
    const shared = both(one, other);
    assert.ok(Math.abs(shared - count / 4) <= spread99(count, 0.25), `${name}: ${shared} of ${count} lost in both`);
  }
});

test('one loss says nothing of the next', () => {
  const lost = losses(3, 0.1);
  const inARow = lost.filter((k, i) => lost[i + 1] === k + 1).length;
  assert.ok(Math.abs(inARow - count * 0.01) <= spread99(count, 0.01), String(inARow));
});
