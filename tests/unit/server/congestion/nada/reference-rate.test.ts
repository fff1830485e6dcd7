import assert from 'node:assert/strict';
import { test } from 'node:test';
import { params } from '../../../../../server/congestion/nada/params.ts';
import { ReferenceRate } from '../../../../../server/congestion/nada/reference-rate.ts';
import { near } from '../gcc/near.ts';

const bounds = { minBps: 100e3, maxBps: 2e6 };
const start = (startBps: number, given: Record<string, unknown> = {}) =>
  new ReferenceRate(params.parse(given), startBps, bounds);

test('ramp-up: what arrives, times 1 + 50 ms / (round trip + 100 ms + 120 ms) (equations 3 and 4)', () => {
  const rate = start(500e3);
  rate.rampUp(600e3, 30, 0);
  near(rate.rateBps, 600e3 * (1 + 50 / 250));
});

test('ramp-up grows by half at most, and never lowers the rate', () => {
  const rate = start(500e3, { rampUpQueue: '1s' });
  rate.rampUp(600e3, 30, 0);
  near(rate.rateBps, 900e3);
  rate.rampUp(100e3, 30, 0);
  near(rate.rateBps, 900e3);
});

test('gradual: towards the equilibrium x = XREF x RMAX / rate (equations 5 to 7)', () => {
  const rate = start(1e6);
  rate.update(20, 100); // 10 ms x 2 Mbit/s / 1 Mbit/s: no offset; the signal has changed from 0 to 20 ms
  near(rate.rateBps, 1e6 * (1 - (0.5 * 2 * 20) / 500));
  const lower = start(1e6);
  lower.rampUp(0, 30, 70); // sets the previous signal
  lower.update(70, 100);
  near(lower.rateBps, 1e6 * (1 - (0.5 * 0.2 * 50) / 500));
  const higher = start(1e6);
  higher.update(0, 100);
  near(higher.rateBps, 1e6 * (1 + (0.5 * 0.2 * 20) / 500));
});

test('the equilibrium goes with priority and with the rate it refers to', () => {
  const steady = (given: Record<string, unknown>, signalMs: number) => {
    const rate = start(1e6, given);
    rate.rampUp(0, 30, signalMs);
    rate.update(signalMs, 100);
    return rate.rateBps;
  };
  near(steady({}, 20), 1e6);
  near(steady({ priority: 2 }, 40), 1e6);
  near(steady({ referenceMaxRate: '5mbit' }, 50), 1e6);
  near(steady({ referenceSignal: '30ms' }, 60), 1e6);
});

test('a change counts five times as much as the same offset over one interval of 200 ms', () => {
  const ofChange = start(1e6);
  ofChange.update(20 + 0, 0);
  const ofOffset = start(1e6);
  ofOffset.rampUp(0, 30, 40);
  ofOffset.update(40, 200);
  near((1e6 - ofChange.rateBps) / (1e6 - ofOffset.rateBps), 2 / 0.4);
});

test('a pause counts for 500 ms at most', () => {
  const [short, long] = [start(1e6), start(1e6)];
  short.update(0, 500);
  long.update(0, 60e3);
  near(long.rateBps, short.rateBps);
});

test('the rate keeps to its bounds, the start and a collapse, too', () => {
  assert.equal(start(50e3).rateBps, 100e3);
  assert.equal(start(9e6).rateBps, 2e6);
  const rate = start(1e6);
  rate.update(500, 100); // the change of the signal alone lowers the rate to the minimum
  assert.equal(rate.rateBps, 100e3);
  rate.rampUp(9e6, 30, 0);
  assert.equal(rate.rateBps, 2e6);
  rate.setBounds({ minBps: 50e3, maxBps: 1.5e6 });
  assert.equal(rate.rateBps, 1.5e6);
  rate.halve();
  assert.equal(rate.rateBps, 750e3);
  for (let i = 0; i < 10; i++) rate.halve();
  assert.equal(rate.rateBps, 50e3);
});
