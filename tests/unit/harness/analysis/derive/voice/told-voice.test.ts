import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldVoice, type VoiceReading } from '../../../../../../harness/analysis/derive/voice/told-voice.ts';

const window = { startMs: 10_000, endMs: 40_000 };

/** Readings once a second from 8 s on; each second has packets, milliseconds concealed, and concealments. */
function readings(...seconds: readonly (readonly [packets: number, concealedMs: number, events: number])[]) {
  let now: VoiceReading = {
    timeMs: 8000,
    packetsReceived: 30,
    totalSamplesReceived: 96_000,
    concealedSamples: 48_000,
    concealmentEvents: 2,
  };
  const all = [now];
  for (const [packets, concealedMs, events] of seconds) {
    now = {
      timeMs: now.timeMs + 1000,
      packetsReceived: now.packetsReceived + packets,
      totalSamplesReceived: now.totalSamplesReceived + 48_000,
      concealedSamples: now.concealedSamples + 48 * concealedMs,
      concealmentEvents: now.concealmentEvents + events,
    };
    all.push(now);
  }
  return all;
}
const steady = (count: number) => Array.from({ length: count }, () => [50, 0, 0] as const);

test('share and interruptions are those of the window', () => {
  const one = readings([50, 900, 1], ...steady(9), [40, 300, 1], [49, 20, 1], ...steady(20), [10, 800, 1]);
  // 30 s from 10 s on
  assert.deepEqual(toldVoice([one], window), { concealedRatio: 0.32 / 30, interruptionsPerMinute: 2 });
  const whole = readings(...steady(32));
  assert.deepEqual(toldVoice([one, whole], window), { concealedRatio: 0.16 / 30, interruptionsPerMinute: 1 });
});

test('a second without a packet belongs to an interruption, and more than five to a pause', () => {
  const outage = readings(...steady(10), [5, 900, 1], [0, 1000, 0], [0, 1000, 0], [20, 600, 0], ...steady(18));
  assert.deepEqual(toldVoice([outage], window), { concealedRatio: 3.5 / 30, interruptionsPerMinute: 2 });
  const pause = readings(
    ...steady(10),
    ...Array.from({ length: 10 }, (_, k) => [0, 1000, k === 0 ? 1 : 0] as const),
    ...steady(12),
  );
  assert.deepEqual(toldVoice([pause], window), { concealedRatio: 0, interruptionsPerMinute: 0 });
});

test('without a stream that received packets in the window nothing is known', () => {
  const nothing = { concealedRatio: null, interruptionsPerMinute: null };
  assert.deepEqual(toldVoice([], window), nothing);
  assert.deepEqual(toldVoice([[], readings()], window), nothing);
  assert.deepEqual(toldVoice([readings(...Array.from({ length: 4 }, () => [0, 1000, 0] as const))], window), nothing);
});
