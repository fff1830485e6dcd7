import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatDuration,
  formatRate,
  formatRatio,
  formatSize,
  parseDurationMs,
  parseQueueLimit,
  parseRateBps,
  parseRatio,
  parseSizeBytes,
  trimmed,
} from '../../../../core/text/units.ts';

test('rates are bits per second with decimal prefixes', () => {
  assert.equal(parseRateBps('40mbit'), 40e6);
  assert.equal(parseRateBps('1.5 gbit'), 1.5e9);
  assert.equal(parseRateBps('300kbit'), 300e3);
  assert.equal(parseRateBps('-4mbit'), -4e6);
});

test('a rate without a unit, or with another one, is no rate', () => {
  for (const text of [
    '40',
    '40m',
    '40Mbps',
    '40 apples',
    'mbit',
    '',
    '4 0mbit',
    'infinitymbit',
    '40mbit/s',
    '__proto__',
  ])
    assert.equal(parseRateBps(text), undefined, text);
});

test('durations and percentages', () => {
  assert.equal(parseDurationMs('200ms'), 200);
  assert.equal(parseDurationMs('40s'), 40_000);
  assert.equal(parseDurationMs('2.5min'), 150_000);
  assert.equal(parseDurationMs('2h'), undefined);
  assert.equal(parseRatio('2%'), 0.02);
  assert.equal(parseRatio('0.02'), undefined);
});

test('a queue limit is packets, bytes or time', () => {
  assert.deepEqual(parseQueueLimit('1000packets'), { unit: 'packets', value: 1000 });
  assert.deepEqual(parseQueueLimit('1.5MB'), { unit: 'bytes', value: 1.5e6 });
  assert.deepEqual(parseQueueLimit('300ms'), { unit: 'ms', value: 300 });
  for (const [text, ms] of [
    ['1s', 1000],
    ['0.5s', 500],
    ['500us', 0.5],
    ['1min', 60e3],
  ] as const) {
    assert.deepEqual(parseQueueLimit(text), { unit: 'ms', value: ms });
    assert.equal(parseDurationMs(text), ms, 'as every other time');
  }
  assert.equal(parseQueueLimit('1h'), undefined);
  assert.equal(parseQueueLimit('1000'), undefined);
});

test('numbers are printed with three digits and their unit', () => {
  assert.equal(formatRate(40e6), '40 Mbit/s');
  assert.equal(formatRate(1_044_000), '1.04 Mbit/s');
  assert.equal(formatRate(300e3), '300 kbit/s');
  assert.equal(formatDuration(200), '200 ms');
  assert.equal(formatDuration(40_000), '40 s');
  assert.equal(formatDuration(150_000), '2.5 min');
  assert.equal(formatRatio(0.02), '2 %');
  assert.equal(trimmed(0.00123), '0.00123');
  assert.equal(trimmed(1000), '1000');
  assert.equal(trimmed(-0.5), '-0.5');
});

test('sizes are bytes with decimal prefixes', () => {
  assert.deepEqual(['64kB', '1.5MB', '200bytes', '64', '64kbit', '64kb'].map(parseSizeBytes), [
    64_000,
    1_500_000,
    200,
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual([64_000, 1_500_000, 200].map(formatSize), ['64 kB', '1.5 MB', '200 bytes']);
});

test('a number that its unit would make infinite is no quantity', () => {
  const digits = '1.797693134862316e+305';
  for (const value of [
    parseSizeBytes(`${digits}kB`),
    parseQueueLimit(`${digits}kB`),
    parseRateBps(`${digits}gbit`),
    parseDurationMs(`${digits}min`),
  ])
    assert.equal(value, undefined);
  assert.equal(parseRateBps('1e298gbit'), 1e307);
});
