import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heardChirps } from '../../../../../../harness/analysis/derive/voice/chirps.ts';
import { heardOf, spokenOf } from '../../../../../../harness/analysis/derive/voice/signals.ts';
import { clipLines, delayed, heardLines, heardSamples, type Listening, sentLines } from './spoken.ts';

const spoken = spokenOf(clipLines, sentLines(5000))!;
const chirps = (listening: Listening, window = { startMs: 5000, endMs: 17_000 }) =>
  heardChirps(spoken, heardOf(heardLines(heardSamples(listening, 0, 14_000), 5000))!, window);

test('every chirp is found with the delay that it had, within half a millisecond', () => {
  for (const delayMs of [0, 80, 400, 1700]) {
    const found = chirps(delayed(delayMs));
    assert.deepEqual(
      found.map(({ spokenMs }) => spokenMs),
      [6000, 8000, 10_000, 12_000, 14_000, 16_000],
    );
    for (const chirp of found) assert.ok(Math.abs(chirp.delayMs - delayMs) < 0.5, `${chirp.delayMs} for ${delayMs}`);
  }
});

test('a delay that changes is found at each chirp', () => {
  const found = chirps(ms => (ms < 5000 ? ms - 60 : ms - 560));
  assert.deepEqual(
    found.map(({ delayMs }) => Math.round(delayMs)),
    [60, 60, 560, 560, 560, 560],
  );
});

test('a chirp that was lost is not found, nor one outside the window', () => {
  const lost = chirps(ms => (ms >= 3000 && ms < 3200 ? null : ms - 60));
  assert.deepEqual(
    lost.map(({ spokenMs }) => spokenMs),
    [6000, 10_000, 12_000, 14_000, 16_000],
  );
  assert.deepEqual(
    chirps(delayed(60), { startMs: 9000, endMs: 13_000 }).map(({ spokenMs }) => spokenMs),
    [10_000, 12_000],
  );
  assert.deepEqual(
    chirps(() => null),
    [],
  );
});
