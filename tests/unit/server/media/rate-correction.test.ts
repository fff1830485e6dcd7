import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateCorrection } from '../../../../server/media/rate-correction.ts';

const frameRate = 30;
const wantedBits = 1e6 / frameRate;

/**
 * Simulates an encoder that produces `share` of its rate. Returns the produced share of the wanted rate over the last
 * second.
 */
function encode(correction: RateCorrection, share: number, seconds: number): number {
  let last = 0;
  for (let n = 0; n < seconds * frameRate; n++) {
    const bits = wantedBits * correction.ratio * share;
    correction.add(bits, wantedBits, 1 / frameRate);
    if (n >= (seconds - 1) * frameRate) last += bits / (wantedBits * frameRate);
  }
  return last;
}

test('an encoder that stays below its rate is asked for more until it gives it', () => {
  const correction = new RateCorrection();
  assert.ok(Math.abs(encode(correction, 0.94, 6) - 1) < 0.005, String(correction.ratio));
  assert.ok(Math.abs(correction.ratio - 1 / 0.94) < 0.005);
});

test('one that gives too much is asked for less', () => {
  const correction = new RateCorrection();
  assert.ok(Math.abs(encode(correction, 1.03, 6) - 1) < 0.005, String(correction.ratio));
});

test('an encoder without anything to encode is not asked for ever more, and soon for no more than it should give', () => {
  const correction = new RateCorrection();
  encode(correction, 0.05, 60);
  assert.equal(correction.ratio, 1.1);
  encode(correction, 1, 3);
  assert.ok(correction.ratio < 1.01, String(correction.ratio));
});

test('a key frame counts as two frames, however large it is', () => {
  const correction = new RateCorrection();
  correction.add(20 * wantedBits, wantedBits, 1 / frameRate);
  assert.ok(Math.abs(correction.ratio - (1 - 1 / frameRate)) < 1e-9, String(correction.ratio));
});
