import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InterruptionMeter } from '../../../../../../harness/analysis/derive/voice/interruption-meter.ts';

/** Returns what a meter says after readings of the milliseconds concealed so far, and of the concealments. */
function after(...readings: readonly (readonly [concealedMs: number, events: number])[]) {
  const meter = new InterruptionMeter();
  for (const [concealedMs, concealmentEvents] of readings)
    meter.add({ concealedSamples: 48 * concealedMs, concealmentEvents });
  return meter.read();
}

test('a concealment of 150 ms is an interruption, and lasts as long as it grows', () => {
  assert.deepEqual(after([0, 0], [149, 1]), { count: 0, totalMs: 0 });
  assert.deepEqual(after([0, 0], [150, 1]), { count: 1, totalMs: 150 });
  assert.deepEqual(after([0, 0], [100, 1], [350, 1], [900, 1], [900, 1]), { count: 1, totalMs: 900 });
  assert.deepEqual(after([0, 0], [200, 1], [600, 2]), { count: 2, totalMs: 600 });
});

test('what was concealed before the first reading does not count', () => {
  assert.deepEqual(after([5000, 3]), { count: 0, totalMs: 0 });
  assert.deepEqual(after([5000, 3], [5100, 4], [5160, 4]), { count: 1, totalMs: 160 });
});

test('concealments that began between two readings count as equally long', () => {
  assert.deepEqual(after([0, 0], [200, 10]), { count: 0, totalMs: 0 });
  assert.deepEqual(after([0, 0], [400, 2]), { count: 2, totalMs: 400 });
  assert.deepEqual(after([0, 0], [240, 2], [300, 2]), { count: 1, totalMs: 180 }, 'the last one goes on');
});

test('a browser without a voice, or without these counters, reports no interruptions', () => {
  const meter = new InterruptionMeter();
  meter.add({});
  meter.add({ concealedSamples: 'none' });
  assert.equal(meter.read(), null);
});
