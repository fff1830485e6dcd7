/**
 * ITU-T G.1072 against values that the formulas of the Recommendation give with the coefficients of its highest class,
 * worked apart from this code (bitrate Mbit/s, frame size, frames a second, delay ms; the last two with losses).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GamingInputs, gamingScore, isWithinRange, scoreOf } from '../../harness/analysis/metrics/g1072/model.ts';

const hd = 1920 * 1080;
const vectors: { name: string; inputs: GamingInputs; score: number }[] = [
  {
    name: 'the best frame with the longest delay',
    inputs: { bitrateMbps: 50, frameRate: 60, pixels: hd, frameLossPercent: 0, slicingLossPercent: 0, delayMs: 400 },
    score: 2.33,
  },
  {
    name: 'the same with a short delay',
    inputs: { bitrateMbps: 50, frameRate: 60, pixels: hd, frameLossPercent: 0, slicingLossPercent: 0, delayMs: 20 },
    score: 4.5304,
  },
  {
    name: 'a usual stream',
    inputs: {
      bitrateMbps: 5,
      frameRate: 30,
      pixels: 1280 * 720,
      frameLossPercent: 0,
      slicingLossPercent: 0,
      delayMs: 50,
    },
    score: 4.1639,
  },
  {
    name: 'a thin stream that loses frames',
    inputs: {
      bitrateMbps: 1,
      frameRate: 30,
      pixels: 1280 * 720,
      frameLossPercent: 8.6879,
      slicingLossPercent: 0,
      delayMs: 100,
    },
    score: 1.917,
  },
  {
    name: 'a thinner one with damaged frames',
    inputs: {
      bitrateMbps: 0.5,
      frameRate: 30,
      pixels: 640 * 480,
      frameLossPercent: 0,
      slicingLossPercent: 0.1,
      delayMs: 200,
    },
    score: 2.0361,
  },
];

for (const { name, inputs, score } of vectors) {
  test(`${name}: ${score}`, () => assert.ok(Math.abs(gamingScore(inputs) - score) < 1e-4, `${gamingScore(inputs)}`));
}

test('a rating of 0 is 1.3, of 100 4.64, and of 60 lies on the line between', () => {
  assert.deepEqual(
    [scoreOf(0), scoreOf(5), scoreOf(100), scoreOf(60)].map(score => Number(score.toFixed(9))),
    [1.3, 1.3, 4.64, 3.304],
  );
});

test('more delay, more loss, fewer frames and less rate never score better', () => {
  const usual = vectors[2]!.inputs;
  const ladders: Partial<GamingInputs>[][] = [
    [0, 20, 50, 100, 200, 400].map(delayMs => ({ delayMs })),
    [0, 0.1, 1, 5, 20].map(frameLossPercent => ({ frameLossPercent })),
    [0, 0.05, 0.1, 0.5].map(slicingLossPercent => ({ slicingLossPercent })),
    [45, 40, 30, 20, 10].map(frameRate => ({ frameRate })),
    [50, 10, 5, 2, 1, 0.3].map(bitrateMbps => ({ bitrateMbps })),
  ];
  for (const ladder of ladders) {
    const scores = ladder.map(change =>
      gamingScore({ ...usual, ...change, ...('frameRate' in change ? { bitrateMbps: change.frameRate! / 6 } : {}) }),
    );
    for (const [i, score] of scores.entries())
      assert.ok(score <= (scores[i - 1] ?? Infinity) + 1e-9, JSON.stringify([ladder[i], scores]));
  }
});

test('what lies beyond the model is told apart', () => {
  const usual = vectors[2]!.inputs;
  assert.ok(isWithinRange(usual));
  for (const change of [
    { bitrateMbps: 0.29 },
    { bitrateMbps: 51 },
    { frameRate: 9 },
    { frameRate: 61 },
    { pixels: 320 * 240 },
    { pixels: 3840 * 2160 },
    { delayMs: 401 },
  ]) {
    assert.ok(!isWithinRange({ ...usual, ...change }), JSON.stringify(change));
  }
});
