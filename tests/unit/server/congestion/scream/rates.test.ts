import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rates } from '../../../../../server/congestion/scream/rates.ts';

test('rates over an interval; the encoder made what left as media and what the queue grew by', () => {
  const rates = new Rates();
  rates.onSent(5000, true);
  rates.onSent(1000, false);
  rates.onAcked(10_000);
  rates.update(200, 20_000);
  assert.deepEqual([rates.transmitBps, rates.ackBps, rates.mediaBps, rates.currentBps], [240e3, 400e3, 1e6, 400e3]);
  rates.onSent(25_000, true);
  rates.update(200, 0);
  assert.deepEqual([rates.transmitBps, rates.ackBps, rates.mediaBps, rates.currentBps], [1e6, 0, 200e3, 1e6]);
});

test("a queue that was thrown away does not make the encoder's rate negative", () => {
  const rates = new Rates();
  rates.update(200, 50_000);
  rates.update(200, 0);
  assert.equal(rates.mediaBps, 0);
});

test('the median is that of the last ten seconds', () => {
  const rates = new Rates();
  const second = (bytes: number) => {
    for (let i = 0; i < 5; i++) {
      rates.onSent(bytes, true);
      rates.update(200, 0);
    }
  };
  for (let i = 0; i < 10; i++) second(25_000);
  assert.equal(rates.mediaMedianBps, 1e6);
  for (let i = 0; i < 4; i++) second(0);
  assert.equal(rates.mediaMedianBps, 1e6);
  for (let i = 0; i < 2; i++) second(0);
  assert.equal(rates.mediaMedianBps, 0);
});
