/** The metrics of the voice, on records made by hand. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin as lipSync } from '../../../../../harness/analysis/metrics/lip-sync/index.ts';
import { plugin as mouthToEar } from '../../../../../harness/analysis/metrics/mouth-to-ear/index.ts';
import { plugin as cause } from '../../../../../harness/analysis/metrics/voice-cause/index.ts';
import { plugin as concealment } from '../../../../../harness/analysis/metrics/voice-concealment/index.ts';
import { plugin as interruption } from '../../../../../harness/analysis/metrics/voice-interruption/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, presented, startMs, stats, writeRecord } from '../../support/record.ts';
import {
  capturedSamples,
  clipLines,
  delayed,
  heardLines,
  heardSamples,
  type Listening,
  sentLines,
} from '../derive/voice/spoken.ts';
import { packetsOf } from '../derive/voice/way.ts';

const folder = temporaryFolder();
/** The voice begins 2 s before the window. */
const spokenMs = startMs - 2000;
let records = 0;

/** A record of 10 s in which this is heard, from 1 s before the window to 1 s after it. */
function record(listening: Listening, series: Record<string, object[]> = {}) {
  const fromMs = startMs - 1000;
  const samples = heardSamples(listening, fromMs - spokenMs, endMs - startMs + 2000);
  return writeRecord(join(folder, String(records++)), {
    'voice.clip': clipLines,
    'voice.sent': sentLines(spokenMs),
    'voice.heard': heardLines(samples, fromMs),
    ...series,
  });
}

/** Frames at 50 per second, presented with a latency. */
const frames = (latencyMs: number) => {
  const captures = every(20, startMs - 1000, endMs);
  return {
    'frames.sent': captures.map((captureMs, frame) => ({ frame, rtpTimestamp: 7 * frame, captureMs })),
    'frames.presented': captures.map((captureMs, frame) => presented(captureMs + latencyMs, frame + 1, 7 * frame)),
  };
};

test('gaps of 150 ms and more are interruptions, shorter ones count as gaps', async () => {
  const isLost = (ms: number) => (ms >= 4500 && ms < 4900) || (ms >= 6500 && ms < 6700) || (ms >= 8500 && ms < 8580);
  const values = await interruption.compute(record(ms => (isLost(ms) ? null : ms - 120)));
  assert.equal(values['voice-interruptions'], 2);
  assert.equal(values['voice-interruption-rate'], 12);
  assert.ok(Math.abs(values['voice-interruption-time']! - 0.6) < 0.04, String(values['voice-interruption-time']));
  assert.ok(Math.abs(values['voice-gap-share']! - 0.068) < 0.005, String(values['voice-gap-share']));
});

test('a voice that a browser captured is compared with what it captured, from wherever it began', async () => {
  const isLost = (ms: number) => ms >= 4500 && ms < 4900;
  const heard = heardSamples(ms => (isLost(ms) ? null : ms - 90), startMs - 1000 - spokenMs, endMs - startMs + 2000);
  const of = (lengthMs: number) =>
    writeRecord(join(folder, String(records++)), {
      'voice.spoken': heardLines(capturedSamples(500, lengthMs), spokenMs + 500),
      'voice.heard': heardLines(heard, startMs - 1000),
    });
  const whole = of(endMs - spokenMs + 1000);
  const { 'voice-interruptions': count, 'voice-interruption-time': seconds } = await interruption.compute(whole);
  assert.ok(count === 1 && Math.abs(seconds! - 0.4) < 0.03, `${count}, ${seconds} s`);
  const { 'mouth-to-ear-median': medianMs } = await mouthToEar.compute(whole);
  assert.ok(Math.abs(medianMs! - 90) < 1, String(medianMs));
  const causes = await cause.compute(whole);
  assert.ok(Math.abs(causes['voice-interrupted-by-unknown']! - seconds! / 10) < 1e-9, 'no packet is known');
  // what was spoken behind the end of the record is not judged
  const shorter = await interruption.compute(of(endMs - spokenMs - 1000));
  assert.equal(shorter['voice-interruptions'], 1);
  for (const value of Object.values(await interruption.compute(of(6000)))) assert.equal(value, null);
});

test('shares of the causes add up to the interrupted time', async () => {
  const isLost = (ms: number) => (ms >= 4500 && ms < 4900) || (ms >= 6500 && ms < 6700) || (ms >= 8500 && ms < 8580);
  const packets = packetsOf(spokenMs, endMs - spokenMs, ms =>
    !isLost(ms + 120) ? {} : ms < 6000 ? { drop: 'random-loss' } : { drop: 'overflow' },
  );
  const broken = record(ms => (isLost(ms) ? null : ms - 120), packets);
  const { 'voice-interruption-time': seconds } = await interruption.compute(broken);
  const values = await cause.compute(broken);
  const { 'voice-interrupted-by-burst-loss': burst, 'voice-interrupted-by-overflow-loss': overflow } = values;
  assert.ok(Math.abs(burst! - 0.04) < 0.003 && Math.abs(overflow! - 0.02) < 0.003, JSON.stringify(values));
  assert.ok(Math.abs(Object.values(values).reduce<number>((sum, value) => sum + value!, 0) - seconds! / 10) < 1e-9);
});

test('a voice of which nothing was heard is interrupted for the whole window', async () => {
  const silent = record(() => null);
  assert.deepEqual(await interruption.compute(silent), {
    'voice-interruptions': 1,
    'voice-interruption-rate': 6,
    'voice-interruption-time': 10,
    'voice-gap-share': 1,
  });
  assert.deepEqual(await mouthToEar.compute(silent), { 'mouth-to-ear-median': null, 'mouth-to-ear-p95': null });
});

test('the delay from mouth to ear is that of the chirps', async () => {
  const values = await mouthToEar.compute(record(ms => (ms < 9000 ? ms - 80 : ms - 280)));
  assert.ok(Math.abs(values['mouth-to-ear-median']! - 80) < 1, String(values['mouth-to-ear-median']));
  assert.ok(values['mouth-to-ear-p95']! > 200);
});

test('injected errors of the lip-sync are read back within 15 ms', async () => {
  const voiceMs = 300;
  for (const errorMs of [-250, -100, -40, 0, 40, 100, 250]) {
    const values = await lipSync.compute(record(delayed(voiceMs), frames(voiceMs - errorMs)));
    assert.ok(Math.abs(values['lip-sync-median']! - errorMs) < 15, `${values['lip-sync-median']} for ${errorMs}`);
    assert.ok(values['lip-sync-spread']! < 5);
  }
});

test('without a voice, or with a record that does not reach over the window, nothing is known', async () => {
  const short = record(delayed(80), {
    'voice.heard': heardLines(heardSamples(delayed(80), 1000, 6000), startMs - 1000),
  });
  for (const one of [writeRecord(join(folder, 'none'), {}), short])
    for (const metric of [interruption, cause, mouthToEar, lipSync])
      for (const [name, value] of Object.entries(await metric.compute(one))) assert.equal(value, null, name);
});

test('what the browser says of the voice is its growth over the window', async () => {
  const lines = every(1000, startMs - 1000, endMs + 1000).map(timeMs => {
    const elapsedS = (timeMs - startMs) / 1000;
    return {
      ...stats(timeMs, {}),
      inboundAudio: {
        concealedSamples: 5000 + 480 * elapsedS,
        totalSamplesReceived: 1e6 + 48_000 * elapsedS,
        insertedSamplesForDeceleration: 96 * elapsedS,
        removedSamplesForAcceleration: 144 * elapsedS,
        packetsLost: 3 + elapsedS,
        packetsReceived: 100 + 49 * elapsedS,
        jitterBufferDelay: 2880 * elapsedS,
        jitterBufferEmittedCount: 48_000 * elapsedS,
      },
    };
  });
  const values = await concealment.compute(writeRecord(join(folder, 'stats'), { stats: lines }));
  assert.deepEqual(values, {
    'voice-concealed': 0.01,
    'voice-stretched': 0.005,
    'voice-loss': 0.02,
    'voice-jitter-buffer': 60,
  });
});
