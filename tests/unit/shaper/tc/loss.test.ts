import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LossProcess } from '../../../../core/vocabulary/link.ts';
import { lossThreshold, predictedLosses } from '../../../../shaper/tc/loss.ts';

const media = { source: '10.0.1.2', destination: '10.0.2.2', protocol: 17 };
const count = 20_000;
const losses = (seed: number, ratio: number, flow = media) =>
  predictedLosses(seed, { kind: 'independent', ratio }, flow, count);
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
      assert.ok(
        Math.abs(lost.length - count * ratio) <= spread99(count, ratio),
        `${ratio}, seed ${seed}: ${lost.length} of ${count}`,
      );
    }
  }
  assert.deepEqual(losses(1, 0), []);
});

test("which they are is the seed's alone", () => {
  assert.deepEqual(losses(7, 0.02), losses(7, 0.02));
  assert.deepEqual(
    predictedLosses(7, { kind: 'independent', ratio: 0.02 }, media, 100),
    losses(7, 0.02).filter(k => k < 100),
  );
  assert.notDeepEqual(losses(7, 0.02), losses(8, 0.02));
});

test('a higher probability loses the same packets and more', () => {
  const few = losses(7, 0.005);
  assert.equal(both(few, losses(7, 0.02)), few.length);
});

test('the losses of different flows, protocols, directions and seeds have nothing to do with each other', () => {
  const one = losses(7, 0.5);
  const others = {
    flow: losses(7, 0.5, { ...media, source: '10.0.3.2' }),
    protocol: losses(7, 0.5, { ...media, protocol: 6 }),
    direction: losses(7, 0.5, { ...media, source: media.destination, destination: media.source }),
    seed: losses(8, 0.5),
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

const bursty: LossProcess = {
  kind: 'gilbert-elliott',
  toBadRatio: 0.01,
  toGoodRatio: 0.3,
  badLossRatio: 0.5,
  goodLossRatio: 0,
};

test('Gilbert-Elliott: which packets are lost, against lists that were computed apart from this', () => {
  assert.deepEqual(
    predictedLosses(7, bursty, media, 1000),
    [146, 147, 436, 448, 449, 456, 457, 458, 459, 723, 884, 886, 887],
  );
  assert.deepEqual(
    predictedLosses(
      1,
      { kind: 'gilbert-elliott', toBadRatio: 0.05, toGoodRatio: 0.25, badLossRatio: 0.9, goodLossRatio: 0.01 },
      { source: '10.0.3.2', destination: '10.0.2.2', protocol: 6 },
      200,
    ),
    [4, 10, 17, 18, 19, 20, 42, 54, 77, 78, 79, 80, 81, 82, 83, 157, 158, 159, 160, 165, 189, 195],
  );
});

test('Gilbert-Elliott: it begins good, and changes after a packet', () => {
  const model = { kind: 'gilbert-elliott', toBadRatio: 1, toGoodRatio: 1, badLossRatio: 1, goodLossRatio: 0 } as const;
  assert.deepEqual(predictedLosses(3, model, media, 9), [1, 3, 5, 7]);
  assert.deepEqual(predictedLosses(3, { ...model, toGoodRatio: 0 }, media, 5), [1, 2, 3, 4]);
  assert.deepEqual(predictedLosses(3, { ...model, toBadRatio: 0 }, media, 100), []);
});

test('Gilbert-Elliott: as many and as long bursts as the model has', () => {
  const long = 200_000;
  const lost = predictedLosses(11, { ...bursty, badLossRatio: 1 }, media, long);
  const bursts = lost.filter((k, i) => lost[i - 1] !== k - 1).length;
  const badShare = 0.01 / (0.01 + 0.3);
  assert.ok(Math.abs(lost.length / long - badShare) < 0.1 * badShare, String(lost.length / long));
  assert.ok(Math.abs(lost.length / bursts - 1 / 0.3) < 0.1 / 0.3, String(lost.length / bursts));
});
