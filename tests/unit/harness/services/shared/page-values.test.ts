import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object, z } from '../../../../../core/schema/schema.ts';
import { nowMs } from '../../../../../core/system/clock.ts';
import { checkedAnswer, checkedTime, list, reason } from '../../../../../harness/services/shared/page-values.ts';
import { transferSchema } from '../../../../../harness/services/shared/transfer-drain.ts';
import { drainSchema } from '../../../../../harness/services/viewer-drain.ts';
import { processorMs } from '../../../support/processor-time.ts';
import { transferDrain, viewerDrain } from '../support/page-answers.ts';

const page = "the service's page on right-1";

test('a list is bounded, and refused for its first wrong entry, however many are wrong', () => {
  const numbers = object({ numbers: list(z.number(), 1_000_000) });
  assert.deepEqual(checkedAnswer(numbers, { numbers: [1, 2] }, page), { numbers: [1, 2] });
  assert.throws(() => checkedAnswer(numbers, { numbers: [1, ...Array<unknown>(999_999).fill('x')] }, page), {
    code: 'service-failed',
    message: `${page}: numbers.1: Invalid input: expected number, received string`,
  });
  assert.throws(() => checkedAnswer(numbers, { numbers: Array<number>(1_000_001).fill(0) }, page), {
    code: 'service-failed',
    message: /^the service's page on right-1: numbers: Too big/,
  });
});

test('a reason is a short line', () => {
  assert.equal(reason.parse('\n  no\nmore'), 'no');
  assert.equal(reason.parse('x'.repeat(1000)).length, 300);
});

test('a time far from now is refused: a trial would wait for it', () => {
  for (const okMs of [nowMs(), nowMs() - 60e3, nowMs() + 2000]) assert.equal(checkedTime(okMs, page), okMs);
  assert.throws(() => checkedTime(nowMs() + 7200e3, page), {
    code: 'service-failed',
    message: `${page}: its time is 7200 s ahead`,
  });
  assert.throws(() => checkedTime(0, page), { code: 'service-failed', message: /behind$/ });
});

test('what is read is checked fast: a minute of frames takes a few milliseconds', () => {
  const drain = viewerDrain();
  const frames = Array.from({ length: 60 * 120 }, () => drain.frames[0]!);
  checkedAnswer(drainSchema, { ...drain, frames }, page); // compiles the schema
  const tries = Array.from({ length: 5 }, () => {
    const beganMs = processorMs();
    checkedAnswer(drainSchema, { ...drain, frames }, page);
    return processorMs() - beganMs;
  });
  assert.ok(Math.min(...tries) < 500, `${tries} ms`);
});

test('statistics hold numbers, words and truth values, not too many', () => {
  const drain = viewerDrain();
  const told = (inbound: unknown) =>
    checkedAnswer(drainSchema, { ...drain, stats: { ...drain.stats, inbound } }, page).stats?.inbound;
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, k) => [`value${k}`, k]));
  assert.deepEqual(told(null), null);
  assert.deepEqual(told({ a: -1.5, b: 'vp8', c: false }), { a: -1.5, b: 'vp8', c: false });
  assert.deepEqual(told(named(200)), named(200));
  for (const [inbound, message] of [
    [named(501), /stats\.inbound: has 501 values/],
    [{ bytesReceived: '12' }, /stats\.inbound: bytesReceived has a value that it cannot have/],
    [{ bytesReceived: -1 }, /bytesReceived/],
    [{ jitter: NaN }, /jitter/],
    [{ psnrSum: {} }, /psnrSum/],
    [{ mid: 'x'.repeat(3000) }, /mid/],
    [{ 'a\nb': 1 }, /without a proper name/],
    [[1], /is not an object/],
    ['text', /is not an object/],
  ] as const)
    assert.throws(() => told(inbound), { code: 'service-failed', message });
});

test('what a transfer tells', () => {
  const drain = transferDrain();
  assert.deepEqual(checkedAnswer(transferSchema, drain, page), drain);
  for (const change of [
    { receivedBytes: -1 },
    { receivedBytes: 1e300 },
    { timeMs: NaN },
    { visible: 1 },
    { mainThreadDelayMaxMs: Infinity },
    { batches: [{ ...drain.batches[0]!, durationMs: -1 }] },
    { batches: [null] },
    { failure: 5 },
    { more: 1 },
  ])
    assert.throws(() => checkedAnswer(transferSchema, { ...drain, ...change }, page), { code: 'service-failed' });
});
