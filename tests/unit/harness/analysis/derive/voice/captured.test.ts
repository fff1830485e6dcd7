import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capturedVoice } from '../../../../../../harness/analysis/derive/voice/captured.ts';
import { heardChirps } from '../../../../../../harness/analysis/derive/voice/chirps.ts';
import { voiceGaps } from '../../../../../../harness/analysis/derive/voice/gaps.ts';
import { heardOf } from '../../../../../../harness/analysis/derive/voice/signals.ts';
import { capturedSamples, heardLines, heardSamples } from './spoken.ts';

/** Place of the clip at which the microphone began, ms: in the last second of the clip, which is a loop. */
const beganAt = 19_300;
const captured = heardLines(capturedSamples(beganAt, 12_000), 5000);

test('the chirps are found to a sample, wherever in its file the microphone began', () => {
  for (const [clipMs, firstMs, sweep] of [
    [0, 1000, 'up'],
    [beganAt, 1700, 'up'],
    [2_900, 100, 'down'],
    [4_990, 10, 'up'],
  ] as const) {
    const { chirps, startMs } = capturedVoice(heardLines(capturedSamples(clipMs, 9000), 5000))!;
    assert.equal(startMs, 5000);
    const wanted = [0, 1, 2, 3, 4].map(k => firstMs + 2000 * k).filter(ms => ms < 9000 - 40);
    assert.deepEqual(
      chirps.map(chirp => Math.round(chirp.clipMs * 16) / 16),
      wanted,
      `from ${clipMs} on`,
    );
    assert.equal(chirps[0]!.sweep, sweep);
  }
});

test('what was heard is compared with what was captured: delay and gaps', () => {
  const spoken = capturedVoice(captured)!;
  const window = { startMs: 6500, endMs: 15_500 };
  const listening = (ms: number) => (ms >= 4000 && ms < 4300 ? null : ms - 80 + beganAt);
  const heard = heardOf(heardLines(heardSamples(listening, 0, 12_000), 5000))!;
  const chirps = heardChirps(spoken, heard, window);
  assert.deepEqual(
    chirps.map(({ spokenMs }) => spokenMs),
    [6700, 8700, 10_700, 12_700, 14_700],
  );
  for (const { delayMs } of chirps) assert.ok(Math.abs(delayMs - 80) < 0.5, `${delayMs}`);
  const gaps = voiceGaps(spoken, heard, window, chirps[0]!.delayMs);
  assert.equal(gaps.length, 1, JSON.stringify(gaps));
  assert.ok(Math.abs(gaps[0]!.startMs - 9000) <= 20 && Math.abs(gaps[0]!.endMs - 9300) <= 20, JSON.stringify(gaps));
});

test('a block that the microphone left out is no gap, and the chirps behind it have their own times', () => {
  // 100 ms are not captured from 4 s on; the listener hears the rest in a row, from then on with 100 ms less delay
  const later = captured.map(part => (part.timeMs < 9000 ? part : { ...part, timeMs: part.timeMs + 100 }));
  const spoken = capturedVoice(later)!;
  const heard = heardOf(
    heardLines(
      heardSamples(ms => ms - 180 + beganAt, 0, 12_000),
      5000,
    ),
  )!;
  const window = { startMs: 6500, endMs: 15_500 };
  const chirps = heardChirps(spoken, heard, window);
  assert.deepEqual(
    chirps.map(({ spokenMs, delayMs }) => [spokenMs, Math.round(delayMs)]),
    [
      [6700, 180],
      [8700, 180],
      [10_800, 80],
      [12_800, 80],
      [14_800, 80],
    ],
  );
  const lost = voiceGaps(spoken, heard, window, 180).filter(({ startMs, endMs }) => endMs - startMs > 60);
  assert.deepEqual(lost, []);
});

test('nothing was captured, or only silence', () => {
  assert.equal(capturedVoice([]), undefined);
  assert.deepEqual(capturedVoice(heardLines(new Int16Array(64_000), 5000))!.chirps, []);
});
