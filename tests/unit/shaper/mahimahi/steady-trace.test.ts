import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steadyTrace } from '../../../../shaper/mahimahi/steady-trace.ts';

const timesOf = (perSecond: number) => steadyTrace(perSecond).trimEnd().split('\n').map(Number);

test('a whole number of opportunities in a second takes the shortest trace', () => {
  assert.deepEqual(timesOf(4), [250, 500, 750, 1000]);
  assert.deepEqual(timesOf(1000).slice(0, 3), [1, 2, 3]);
});

test('the rate is right to two millionths, from 64 kbit/s to 1 Gbit/s', () => {
  for (const rateBps of [64e3, 300e3, 10e6, 40e6, 99.9e6, 1e9]) {
    const perSecond = rateBps / 8 / 1514;
    const times = timesOf(perSecond);
    const error = (times.length * 1000) / times.at(-1)! / perSecond - 1;
    assert.ok(Math.abs(error) < 2e-6, `${rateBps}: ${error}`);
    assert.ok(times.at(-1)! <= 60_000 && times.length <= 1e6);
  }
});

test('no opportunity comes before its time, and none more than 1 ms after it', () => {
  const perSecond = 10e6 / 8 / 1514;
  for (const [k, ms] of timesOf(perSecond).entries()) {
    const lateMs = ms - ((k + 1) * 1000) / perSecond;
    assert.ok(lateMs > -0.1 && lateMs < 1.1, `opportunity ${k}: ${lateMs}`);
  }
});
