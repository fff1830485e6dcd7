import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMeasure, gapLimits } from '../../../../../core/vocabulary/measure.ts';
import { FrameMeter } from '../../../../../harness/analysis/derive/frame-meter.ts';

const limits = gapLimits(defaultMeasure, 60);

/** Returns a meter with `count` frames at a steady rate. The last frame is shown at `untilMs`. */
function steady(framesPerSecond: number, count: number, untilMs: number): FrameMeter {
  const meter = new FrameMeter(gapLimits(defaultMeasure, framesPerSecond));
  for (let k = 1; k <= count; k++)
    meter.add({ presentationMs: untilMs - ((count - k) * 1000) / framesPerSecond, presentedFrames: k });
  return meter;
}

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual}, not ${expected}`);

test('before the first frame there is nothing', () => {
  assert.deepEqual(new FrameMeter(limits).read(5), {
    framesPerSecond: 0,
    sinceLastMs: null,
    longestGapMs: 0,
    stalls: { count: 0, totalMs: 0 },
  });
});

test('a steady stream has its rate, whenever one looks', () => {
  for (const lookedMs of [5000, 5010, 5016]) {
    const { framesPerSecond, stalls, sinceLastMs } = steady(60, 180, 5000).read(lookedMs);
    near(framesPerSecond, 60);
    assert.equal(sinceLastMs, lookedMs - 5000);
    assert.deepEqual(stalls, { count: 0, totalMs: 0 });
  }
});

test('frames without a callback of their own count', () => {
  const meter = new FrameMeter(limits);
  for (let k = 0; k <= 30; k++) meter.add({ presentationMs: k * 100, presentedFrames: 1 + k * 3 });
  near(meter.read(3000).framesPerSecond, 30);
  near(meter.read(3000).longestGapMs, 0); // the gap was reported a moment ago, and no frame has been shown since
});

test('a stall under way counts as far as it goes, and the rate falls with it', () => {
  const meter = steady(50, 100, 5000);
  assert.deepEqual(meter.read(5200).stalls, { count: 0, totalMs: 0 });
  const stalled = meter.read(5600);
  assert.deepEqual(stalled.stalls, { count: 1, totalMs: 600 });
  near(stalled.framesPerSecond, 20);
  assert.equal(stalled.longestGapMs, 600);
  assert.equal(meter.read(7000).framesPerSecond, 0);
  meter.add({ presentationMs: 7500, presentedFrames: 101 });
  assert.deepEqual(meter.read(7500).stalls, { count: 1, totalMs: 2500 });
});

test('the longest gap is that since the last reading', () => {
  const meter = steady(50, 10, 1000);
  meter.read(1000);
  meter.add({ presentationMs: 1150, presentedFrames: 11 });
  meter.add({ presentationMs: 1160, presentedFrames: 12 });
  assert.equal(meter.read(1170).longestGapMs, 150);
  assert.equal(meter.read(1175).longestGapMs, 15);
});

test('a reset forgets the stalls and the longest gap, and nothing else', () => {
  const meter = steady(50, 2, 1000);
  meter.add({ presentationMs: 1500, presentedFrames: 3 });
  meter.reset();
  assert.equal(meter.read(1500).longestGapMs, 0);
  assert.deepEqual(meter.read(1500).stalls, { count: 0, totalMs: 0 });
  assert.equal(meter.read(1500).sinceLastMs, 0);
});

test('a frame that comes twice, or late, is none', () => {
  const meter = steady(50, 10, 1000);
  meter.add({ presentationMs: 1000, presentedFrames: 10 });
  meter.add({ presentationMs: 400, presentedFrames: 3 });
  assert.equal(meter.read(1000).sinceLastMs, 0);
});

test('a frame that came unseen at the end of a stall does not hide it', () => {
  const meter = steady(50, 10, 1000);
  meter.add({ presentationMs: 1240, presentedFrames: 12 }, 0);
  const { longestGapMs, stalls } = meter.read(1240);
  assert.deepEqual([Math.round(longestGapMs), stalls.count, Math.round(stalls.totalMs)], [223, 1, 223]);
});

test('a steady stream of few frames has its rate between two of them, and no stall', () => {
  const meter = steady(5, 20, 10_000);
  for (const lookedMs of [10_050, 10_150, 10_217]) {
    const { framesPerSecond, stalls } = meter.read(lookedMs);
    near(framesPerSecond, 5);
    assert.deepEqual(stalls, { count: 0, totalMs: 0 }, String(lookedMs));
  }
  assert.deepEqual(meter.read(11_001).stalls, { count: 1, totalMs: 1001 });
});
