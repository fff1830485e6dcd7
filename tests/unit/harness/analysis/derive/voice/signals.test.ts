import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeardClock, heardOf, spokenOf } from '../../../../../../harness/analysis/derive/voice/signals.ts';
import { clip, clipLines, delayed, heardLines, heardSamples, sentLines } from './spoken.ts';

const samples = heardSamples(delayed(100), 0, 2000);

test('what was spoken is the clip, from the time at which its first sample was spoken', () => {
  const spoken = spokenOf(clipLines, sentLines(5000))!;
  assert.equal(spoken.startMs, 5000);
  assert.deepEqual(spoken.samples, Float32Array.from(clip));
  assert.equal(spokenOf(clipLines, []), undefined);
  assert.equal(spokenOf([], sentLines(5000)), undefined);
});

test('parts follow each other, and every sample has the time of its part', () => {
  const heard = heardOf(heardLines(samples, 7000))!;
  assert.deepEqual(heard.samples, Float32Array.from(samples));
  const clock = new HeardClock(heard);
  for (const [sample, timeMs] of [
    [0, 7000],
    [8000, 7500],
    [31_999, 7000 + 31_999 / 16],
    [160, 7010],
  ] as const) {
    assert.equal(clock.timeMs(sample), timeMs);
    assert.equal(clock.sample(timeMs), sample);
  }
  assert.equal(heardOf([]), undefined);
});

test('where the browser passed nothing on, there are zeros', () => {
  const lines = heardLines(samples, 7000).map((line, k) => (k < 4 ? line : { ...line, timeMs: line.timeMs + 300 }));
  const heard = heardOf(lines)!;
  assert.equal(heard.samples.length, samples.length + 4800);
  assert.ok(heard.samples.subarray(16_000, 20_800).every(sample => sample === 0));
  assert.deepEqual(heard.samples.subarray(20_800), Float32Array.from(samples.subarray(16_000)));
  const clock = new HeardClock(heard);
  assert.equal(clock.timeMs(16_000 + 1600), 8100);
  assert.equal(clock.timeMs(20_800), 8300);
});

test('a busy page that tells late times for a while makes no gap', () => {
  const lines = heardLines(samples, 7000).map((line, k) =>
    k >= 2 && k < 5 ? { ...line, timeMs: line.timeMs + 200 } : line,
  );
  const heard = heardOf(lines)!;
  assert.equal(heard.samples.length, samples.length);
  assert.equal(new HeardClock(heard).timeMs(12_000), 7750);
});
