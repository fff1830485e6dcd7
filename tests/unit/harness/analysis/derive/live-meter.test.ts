import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMeasure, gapLimits } from '../../../../../core/vocabulary/measure.ts';
import { LiveMeter } from '../../../../../harness/analysis/derive/live-meter.ts';
import { presented } from '../../support/record.ts';

const limits = gapLimits(defaultMeasure, 60);

test('rates, round trip and frames from the records of a trial', () => {
  const meter = new LiveMeter(limits);
  assert.deepEqual([meter.read(0).goodputBps, meter.read(0).rttMs], [null, null]);
  for (let second = 0; second <= 2; second++) {
    meter.stats({
      timeMs: second * 1000,
      inbound: { bytesReceived: second * 1e6 },
      candidatePair: null,
      remoteOutbound: null,
    });
    meter.presented(presented(second * 1000, 1 + second * 30));
  }
  meter.ping({ timeMs: 1900, sequence: 1, rttMs: 84 });
  meter.ping({ timeMs: 1950, sequence: 2, rttMs: null });
  const { goodputBps, rttMs, framesPerSecond } = meter.read(2000);
  assert.deepEqual([goodputBps, rttMs, framesPerSecond], [8e6, 84, 30]);
});

test('the round trip of a probe is gone after a while', () => {
  const meter = new LiveMeter(limits);
  meter.ping({ timeMs: 900, sequence: 1, rttMs: 100 });
  assert.equal(meter.read(3000).rttMs, 100);
  assert.equal(meter.read(3600).rttMs, null);
});

test('what the page says of the frames before it counts for them', () => {
  const meter = new LiveMeter(limits);
  for (const [time, count] of [
    [1000, 1],
    [1240, 3],
  ] as const)
    meter.presented(presented(time, count));
  meter.page({ timeMs: 1250, mainThreadDelayMaxMs: 0, visible: true });
  assert.deepEqual([Math.round(meter.read(1250).longestGapMs), meter.read(1250).stalls.count], [223, 1]);
});

test('rates at the bottleneck are together what left it', () => {
  const meter = new LiveMeter(limits);
  for (let second = 0; second <= 2; second++) {
    meter.bottleneck({ timeMs: second * 1000, value: second * 1.25e6 });
    meter.stats({
      timeMs: second * 1000,
      inbound: { bytesReceived: second * 100_000, headerBytesReceived: second * 2000, packetsReceived: second * 100 },
      candidatePair: null,
      remoteOutbound: null,
    });
    meter.presented(presented(second * 1000, 1 + second * 30));
  }
  const { subjectWireBps, otherWireBps, bitsPerPixel } = meter.read(2000);
  assert.deepEqual([subjectWireBps, otherWireBps], [107_200 * 8, 10e6 - 107_200 * 8]);
  assert.equal(bitsPerPixel, 800_000 / (1280 * 720 * 30));
});

test('a voice counts at the bottleneck, and its interruptions are counted anew after a reset', () => {
  const meter = new LiveMeter(limits);
  const voice = (second: number, concealedMs: number, concealmentEvents: number) =>
    meter.stats({
      timeMs: second * 1000,
      inbound: { bytesReceived: second * 100_000 },
      inboundAudio: { bytesReceived: second * 4000, concealedSamples: 48 * concealedMs, concealmentEvents },
      candidatePair: null,
      remoteOutbound: null,
    });
  assert.equal(meter.read(0).interruptions, null);
  voice(0, 900, 1);
  voice(1, 1300, 2);
  assert.deepEqual(meter.read(1000).interruptions, { count: 1, totalMs: 400 });
  meter.reset();
  voice(2, 1320, 3);
  const { interruptions, subjectWireBps, goodputBps } = meter.read(2000);
  assert.deepEqual([interruptions, subjectWireBps, goodputBps], [{ count: 0, totalMs: 0 }, 832_000, 800_000]);
});
