import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossRule } from '../../../../../server/congestion/gcc/loss-rule.ts';
import { near } from './near.ts';

/** Reports of 100 packets, `lost` of them missing, at the start and the end of a second from `fromMs`. */
function report(rule: LossRule, fromMs: number, lost: number): void {
  const packets = Array.from({ length: 100 }, (_, i) => ({ sequence: fromMs + i, received: i >= lost }));
  rule.onFeedback(packets.slice(0, 50), fromMs);
  rule.onFeedback(packets.slice(50), fromMs + 1000);
}

test('losses are counted over a second', () => {
  const rule = new LossRule();
  report(rule, 0, 15);
  near(rule.lossRatio, 0.15);
});

test('fewer than 20 packets are carried over', () => {
  const rule = new LossRule();
  rule.onFeedback(Array.from({ length: 10 }, (_, sequence) => ({ sequence, received: sequence > 4 })), 0);
  rule.onFeedback([], 1000);
  assert.equal(rule.lossRatio, 0);
  rule.onFeedback(Array.from({ length: 10 }, (_, i) => ({ sequence: 10 + i, received: true })), 2000);
  near(rule.lossRatio, 5 / 20);
});

test('a packet that arrives after all is not lost', () => {
  const rule = new LossRule();
  rule.onFeedback(Array.from({ length: 20 }, (_, sequence) => ({ sequence, received: sequence > 1 })), 0);
  rule.onFeedback([{ sequence: 1, received: true }], 1000);
  near(rule.lossRatio, 1 / 20);
});

test('up to 2 % of loss: 8 % above the lowest rate of the last second, plus 1 kbit/s', () => {
  const rule = new LossRule();
  report(rule, 0, 2);
  rule.remember(500e3, 1000);
  rule.remember(600e3, 1500);
  assert.deepEqual(rule.apply(600e3, 100, -Infinity, 1500), { rateBps: 500e3 * 1.08 + 1000, fell: false });
  rule.remember(700e3, 2000);
  // The rate of 1000 is 1001 ms old (one is added for rounding); that of 1500 is the lowest now.
  assert.deepEqual(rule.apply(700e3, 100, -Infinity, 2000), { rateBps: 600e3 * 1.08 + 1000, fell: false });
  rule.remember(550e3, 2100);
  assert.deepEqual(rule.apply(550e3, 100, -Infinity, 2100), { rateBps: 550e3 * 1.08 + 1000, fell: false }, 'a lower one replaces those before it');
});

test('between 2 and 10 %: nothing', () => {
  for (const lost of [3, 10]) {
    const rule = new LossRule();
    report(rule, 0, lost);
    assert.equal(rule.apply(500e3, 100, -Infinity, 1000), undefined, `${lost} %`);
  }
  const rule = new LossRule();
  report(rule, 0, 11);
  assert.equal(rule.apply(500e3, 100, -Infinity, 1000)?.fell, true);
});

test('above 10 %: less half the loss, once per report and 300 ms + round trip', () => {
  const rule = new LossRule();
  report(rule, 0, 20);
  assert.equal(rule.apply(500e3, 100, 601, 1000), undefined);
  assert.deepEqual(rule.apply(500e3, 100, 600, 1000), { rateBps: 500e3 * (1 - 0.5 * 0.2), fell: true });
  assert.equal(rule.apply(450e3, 100, 1000, 1900), undefined);
});

test('a loss ratio of 6 s ago says nothing', () => {
  const rule = new LossRule();
  report(rule, 0, 20);
  assert.equal(rule.apply(500e3, 100, -Infinity, 7000), undefined);
});

test('the start phase ends 2 s after the first report', () => {
  const rule = new LossRule();
  assert.equal(rule.isStartPhase(1e6), true);
  report(rule, 0, 0);
  assert.equal(rule.isStartPhase(2999), true);
  assert.equal(rule.isStartPhase(3000), false);
});
