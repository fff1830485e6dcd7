import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMeasure, gapLimits } from '../../../../core/measure.ts';
import { LiveMeter } from '../../../../harness/derive/live-meter.ts';
import { presented } from '../support/record.ts';

const limits = gapLimits(defaultMeasure, 60);

const received = (timeMs: number, port: number, bytesReceived: number) => ({
  timeMs,
  end: 'receiver' as const,
  port,
  congestionControl: 'bbr',
  bytesReceived,
});

test('rates, round trip and frames from the records of a trial', () => {
  const meter = new LiveMeter(limits);
  assert.deepEqual([meter.read(0).goodputBps, meter.read(0).floodBps, meter.read(0).rttMs], [null, null, null]);
  for (let second = 0; second <= 2; second++) {
    meter.stats({
      timeMs: second * 1000,
      inbound: { bytesReceived: second * 1e6 },
      candidatePair: null,
      remoteOutbound: null,
    });
    for (const port of [40_000, 40_001]) meter.tcp(received(second * 1000, port, second * 2e6));
    meter.tcp({ ...received(second * 1000, 40_000, second * 9e6), end: 'sender' });
    meter.presented(presented(second * 1000, 1 + second * 30));
  }
  meter.ping({ timeMs: 1900, sequence: 1, rttMs: 84 });
  meter.ping({ timeMs: 1950, sequence: 2, rttMs: null });
  const { goodputBps, floodBps, rttMs, framesPerSecond } = meter.read(2000);
  assert.deepEqual([goodputBps, floodBps, rttMs, framesPerSecond], [8e6, 32e6, 84, 30]);
});

test('flows that ended, and probes that nobody answers, are told no longer', () => {
  const meter = new LiveMeter(limits);
  meter.tcp(received(0, 1, 0));
  meter.tcp(received(1000, 1, 1e6));
  meter.ping({ timeMs: 900, sequence: 1, rttMs: 100 });
  assert.deepEqual([meter.read(3000).floodBps, meter.read(3000).rttMs], [8e6, 100]);
  assert.deepEqual([meter.read(3600).floodBps, meter.read(3600).rttMs], [null, null]);
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

test("rates at the bottleneck never exceed what left it, however the flood's bytes come in order", () => {
  const meter = new LiveMeter(limits);
  for (let second = 0; second <= 2; second++) {
    meter.bottleneck({ timeMs: second * 1000, value: second * 1.25e6 });
    meter.stats({
      timeMs: second * 1000,
      inbound: { bytesReceived: second * 100_000, headerBytesReceived: second * 2000, packetsReceived: second * 100 },
      candidatePair: null,
      remoteOutbound: null,
    });
    meter.tcp(received(second * 1000, 1, second * 2.5e6)); // 20 Mbit/s in order on a link of 10
    meter.presented(presented(second * 1000, 1 + second * 30));
  }
  const { mediaWireBps, otherWireBps, floodBps, bitsPerPixel } = meter.read(2000);
  assert.deepEqual([mediaWireBps, otherWireBps, floodBps], [107_200 * 8, 10e6 - 107_200 * 8, 20e6]);
  assert.equal(bitsPerPixel, 800_000 / (1280 * 720 * 30));
});
