import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossRule } from '../../../../../server/congestion/gcc/loss-rule.ts';
import { near } from './near.ts';

/** Reports `lost` of 100 packets as lost. */
const report = (rule: LossRule, atMs: number, lost: number) => rule.onReport(lost, 100, atMs);

test('the ratio is that of the last report, in steps of 1/256', () => {
  const rule = new LossRule();
  assert.equal(report(rule, 1000, 15), true);
  near(rule.lossRatio, 38 / 256);
  report(rule, 2000, 100);
  near(rule.lossRatio, 255 / 256);
  report(rule, 3000, -2);
  near(rule.lossRatio, 0, 'more came than was expected: packets twice');
});

test('fewer than 20 packets are carried over', () => {
  const rule = new LossRule();
  assert.equal(rule.onReport(5, 10, 1000), false);
  assert.equal(rule.lossRatio, 0);
  assert.equal(rule.onReport(0, 10, 2000), true);
  near(rule.lossRatio, 5 / 20);
});

test('up to 2 % of loss: 8 % above the lowest rate of the last second, plus 1 kbit/s', () => {
  const rule = new LossRule();
  report(rule, 1000, 2);
  rule.remember(500e3, 1000);
  rule.remember(600e3, 1500);
  assert.deepEqual(rule.apply(600e3, 100, -Infinity, 1500), { rateBps: 500e3 * 1.08 + 1000, fell: false });
  rule.remember(700e3, 2000);
  // The rate of 1000 is 1001 ms old (one is added for rounding), so the rate of 1500 is the lowest now.
  assert.deepEqual(rule.apply(700e3, 100, -Infinity, 2000), { rateBps: 600e3 * 1.08 + 1000, fell: false });
  rule.remember(550e3, 2100);
  assert.deepEqual(
    rule.apply(550e3, 100, -Infinity, 2100),
    { rateBps: 550e3 * 1.08 + 1000, fell: false },
    'a lower one replaces those before it',
  );
});

test('between 2 and 10 %: nothing', () => {
  for (const lost of [3, 10]) {
    const rule = new LossRule();
    report(rule, 1000, lost);
    assert.equal(rule.apply(500e3, 100, -Infinity, 1000), undefined, `${lost} %`);
  }
  const rule = new LossRule();
  report(rule, 1000, 11);
  assert.equal(rule.apply(500e3, 100, -Infinity, 1000)?.fell, true);
});

test('above 10 %: less half the loss, once per report and 300 ms + round trip', () => {
  const rule = new LossRule();
  report(rule, 1000, 25);
  assert.equal(rule.apply(500e3, 100, 601, 1000), undefined);
  assert.deepEqual(rule.apply(500e3, 100, 600, 1000), { rateBps: 500e3 * (1 - 0.5 * 0.25), fell: true });
  assert.equal(rule.apply(450e3, 100, 1000, 1900), undefined);
});

test('a loss ratio of 6 s ago says nothing', () => {
  const rule = new LossRule();
  report(rule, 1000, 20);
  assert.equal(rule.apply(500e3, 100, -Infinity, 7000), undefined);
});

test('the start phase ends 2 s after the first report', () => {
  const rule = new LossRule();
  assert.equal(rule.isStartPhase(1e6), true);
  report(rule, 1000, 0);
  assert.equal(rule.isStartPhase(2999), true);
  assert.equal(rule.isStartPhase(3000), false);
});
