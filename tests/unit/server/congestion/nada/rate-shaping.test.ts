import assert from 'node:assert/strict';
import { test } from 'node:test';
import { params } from '../../../../../server/congestion/nada/params.ts';
import { shapeRates } from '../../../../../server/congestion/nada/rate-shaping.ts';

const bounds = { minBps: 100e3, maxBps: 2e6 };

test('with an empty pacer both get the reference rate', () => {
  assert.deepEqual(shapeRates(1e6, 0, params.parse({}), bounds), { encoderBps: 1e6, sendingBps: 1e6 });
});

test("2000 bytes move 48 kbit/s, the RFC's example", () => {
  assert.deepEqual(shapeRates(1e6, 2000, params.parse({}), bounds), { encoderBps: 952e3, sendingBps: 1048e3 });
  assert.deepEqual(shapeRates(1e6, 2000, params.parse({ frameRate: 15, betaSending: 0.05 }), bounds), {
    encoderBps: 976e3,
    sendingBps: 1012e3,
  });
});

test('never more than 5 %', () => {
  assert.deepEqual(shapeRates(1e6, 1e6, params.parse({}), bounds), { encoderBps: 950e3, sendingBps: 1050e3 });
});

test('the bounds hold', () => {
  assert.deepEqual(shapeRates(2e6, 1e6, params.parse({}), bounds), { encoderBps: 1.9e6, sendingBps: 2e6 });
  assert.deepEqual(shapeRates(100e3, 1e6, params.parse({}), bounds), { encoderBps: 100e3, sendingBps: 105e3 });
});
