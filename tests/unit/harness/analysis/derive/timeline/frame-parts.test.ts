import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frameParts } from '../../../../../../core/vocabulary/frame-parts.ts';
import { inParts, splitLatency } from '../../../../../../harness/analysis/derive/timeline/frame-parts.ts';
import { frameLine } from './frame.ts';

const time = fc.double({ min: -1000, max: 5000, noNaN: true });
const arrival = fc.oneof({ weight: 5, arbitrary: time }, { weight: 1, arbitrary: fc.constant(Infinity) });
const queue = fc.record({
  offeredMs: time,
  sojournMs: fc.oneof(fc.double({ min: 0, max: 3000, noNaN: true }), fc.constant(Infinity)),
  packets: fc.nat(),
});
const anyFrame = fc.record({
  encodedMs: time,
  lastSentMs: time,
  lost: fc.nat({ max: 2 }),
  completeMs: fc.option(time),
  decodingMs: fc.option(fc.double({ min: 0, max: 200, noNaN: true })),
  last: fc.option(fc.record({ sentMs: time, queue: fc.option(queue), arrivedMs: arrival })),
});

test('parts add up to the whole and none is negative, whatever the clocks say', () => {
  fc.assert(
    fc.property(anyFrame, fc.double({ min: 0, max: 4000, noNaN: true }), (fields, endMs) => {
      const parts = splitLatency(frameLine({ ...fields, captureMs: 0 }), endMs);
      const values = frameParts.map(part => parts[part]);
      assert.ok(
        values.every(value => value >= 0),
        JSON.stringify(parts),
      );
      assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - endMs) < 1e-6, JSON.stringify(parts));
    }),
    { numRuns: 2000 },
  );
});

test('a frame that came in one go has no repair', () => {
  const frame = frameLine({
    captureMs: 0,
    encodedMs: 5,
    lastSentMs: 9,
    last: { sentMs: 9, queue: { offeredMs: 10, sojournMs: 20, packets: 17 }, arrivedMs: 32 },
    completeMs: 31.75,
    decodingMs: 3,
  });
  assert.deepEqual(splitLatency(frame, 50), {
    encoder: 5,
    pacer: 4,
    queue: 20,
    wire: 2.75,
    repair: 0,
    'jitter-buffer': 15.25,
    decode: 3,
  });
});

test('what was lost is repaired after the last of the others had come', () => {
  const frame = frameLine({
    captureMs: 0,
    encodedMs: 5,
    lastSentMs: 9,
    lost: 1,
    last: { sentMs: 8, queue: { offeredMs: 8, sojournMs: 10, packets: 9 }, arrivedMs: 19 },
    completeMs: 69,
    decodingMs: 3,
  });
  assert.deepEqual(splitLatency(frame, 80), {
    encoder: 5,
    pacer: 3,
    queue: 10,
    wire: 1,
    repair: 50,
    'jitter-buffer': 8,
    decode: 3,
  });
});

test('a frame that is still in the queue at that moment', () => {
  const frame = frameLine({
    captureMs: 0,
    encodedMs: 5,
    lastSentMs: 9,
    last: { sentMs: 9, queue: { offeredMs: 9, sojournMs: Infinity, packets: 9 }, arrivedMs: Infinity },
  });
  assert.deepEqual(splitLatency(frame, 400), {
    encoder: 5,
    pacer: 4,
    queue: 391,
    wire: 0,
    repair: 0,
    'jitter-buffer': 0,
    decode: 0,
  });
});

test("without a log of the queue its time is the wire's", () => {
  const parts = splitLatency(
    frameLine({ captureMs: 0, encodedMs: 5, last: { sentMs: 9, queue: null, arrivedMs: 60 }, completeMs: 60 }),
    70,
  );
  assert.deepEqual([parts.queue, parts.wire], [0, 51]);
});

test('a frame that was not seen presented goes as far as something tells of it', () => {
  const sent = frameLine({ frame: 7, captureMs: 100, encodedMs: 105, lastSentMs: 109 });
  const arrived = { ...sent, last: { sentMs: 109, queue: null, arrivedMs: 140 } };
  const endOf = (frame: typeof sent) => {
    const { frame: number, captureMs, isPresented, parts } = inParts(frame);
    assert.deepEqual([number, captureMs], [7, 100]);
    return [isPresented, captureMs + frameParts.reduce((sum, part) => sum + parts[part], 0)];
  };
  assert.deepEqual(endOf(sent), [false, 109]);
  assert.deepEqual(endOf({ ...sent, last: { sentMs: 109, queue: null, arrivedMs: Infinity } }), [false, 109]);
  assert.deepEqual(endOf(arrived), [false, 140]);
  assert.deepEqual(endOf({ ...arrived, completeMs: 190 }), [false, 190]);
  assert.deepEqual(endOf({ ...arrived, completeMs: 190, presentedMs: 200 }), [true, 200]);
});
