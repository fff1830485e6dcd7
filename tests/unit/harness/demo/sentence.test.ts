import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isStalled,
  ratingOf,
  ruleWords,
  type Surroundings,
  sentenceOf,
  type View,
} from '../../../../harness/demo/sentence.ts';

const view: View = {
  lost: false,
  sinceLastMs: 12,
  framesPerSecond: 59.94,
  frameRate: 60,
  sinceStallMs: null,
  sinceInterruptionMs: null,
  bitsPerPixel: 0.14,
};

test('what the viewer sees, in one sentence', () => {
  assert.equal(sentenceOf({ ...view, rttMs: 8.42 }), '59.9 frames per second, 8.4 ms round trip');
  assert.equal(sentenceOf({ ...view, rttMs: 0.0561 }), '59.9 frames per second, 0.06 ms round trip');
  assert.equal(sentenceOf({ ...view, rttMs: 304.2 }), 'Late: 59.9 frames per second, 304 ms round trip');
  assert.equal(sentenceOf({ ...view, rttMs: null }), '59.9 frames per second, no probe comes back');
  assert.equal(sentenceOf(view), '59.9 frames per second');
  assert.equal(sentenceOf({ ...view, sinceInterruptionMs: 800 }), 'The voice just broke off: 59.9 frames per second');
  assert.equal(sentenceOf({ ...view, sinceLastMs: 640, rttMs: 310 }), 'Stalled for 0.6 s');
  assert.equal(sentenceOf({ ...view, sinceLastMs: null, rttMs: 8 }), 'No frame yet');
  assert.equal(sentenceOf({ ...view, lost: true, sinceLastMs: 9000, rttMs: null }), 'The connection has failed');
});

test('mush with a round trip of 802 ms is not good, whatever its frame rate', () => {
  const mush = { ...view, framesPerSecond: 28.9, frameRate: 30, bitsPerPixel: 0.1e6 / (640 * 360 * 28.9), rttMs: 802 };
  assert.equal(ratingOf(mush), 'bad');
  assert.equal(sentenceOf(mush), 'Blurred, very late: 28.9 frames per second, 802 ms round trip');
});

test('the worst of frames, stalls, latency and quality decides', () => {
  const changes: [Partial<View>, string][] = [
    [{}, 'good'],
    [{ rttMs: 20 }, 'good'],
    [{ rttMs: 191 }, 'strained'],
    [{ rttMs: 401 }, 'bad'],
    [{ rttMs: null }, 'bad'],
    [{ framesPerSecond: 53 }, 'strained'],
    [{ framesPerSecond: 29 }, 'bad'],
    [{ bitsPerPixel: 0.04 }, 'strained'],
    [{ bitsPerPixel: 0.01 }, 'bad'],
    [{ bitsPerPixel: null }, 'good'],
    [{ sinceStallMs: 4000 }, 'bad'],
    [{ sinceInterruptionMs: 4000 }, 'bad'],
    [{ sinceInterruptionMs: 6000 }, 'good'],
    [{ sinceStallMs: 6000 }, 'good'],
    [{ sinceLastMs: 201 }, 'bad'],
    [{ sinceLastMs: null }, 'bad'],
    [{ lost: true }, 'bad'],
  ];
  for (const [change, rating] of changes)
    assert.equal(ratingOf({ ...view, ...change }), rating, JSON.stringify(change));
});

test('frozen is what the paper calls a stall', () => {
  assert.deepEqual(
    [null, 0, 200, 201].map(sinceLastMs => isStalled({ sinceLastMs, frameRate: 60 })),
    [false, false, false, true],
  );
});

test('of few frames a second five periods are none', () => {
  assert.deepEqual(
    [217, 1000, 1001].map(sinceLastMs => isStalled({ sinceLastMs, frameRate: 5 })),
    [false, false, true],
  );
});

test('the rule that the page shows is the one that decides: each limit and each word of it', () => {
  const [bad, strained] = ruleWords as [string, string];
  const just = (change: Partial<View>) => ({ ...view, ...change });
  for (const [said, number, at] of [
    [
      bad,
      /than (\d+) ms, or 5 frame periods if these are longer, or did so in the last/,
      (n: number) => just({ sinceLastMs: n }),
    ],
    [bad, /in the last (\d+) s/, (n: number) => just({ sinceStallMs: n * 1000 + 1 })],
    [bad, /fewer than (\d+) % of the sent/, (n: number) => just({ framesPerSecond: (60 * n) / 100 })],
    [bad, /more than (\d+) ms \("very late"\)/, (n: number) => just({ rttMs: n })],
    [bad, /less than ([\d.]+) bits/, (n: number) => just({ bitsPerPixel: n })],
  ] as const)
    assert.notEqual(ratingOf(at(Number(number.exec(said)![1]))), 'bad', String(number));
  for (const [number, at] of [
    [/fewer than (\d+) % of the sent/, (n: number) => just({ framesPerSecond: (60 * n) / 100 })],
    [/more than (\d+) ms \("late"\)/, (n: number) => just({ rttMs: n })],
    [/less than ([\d.]+) bits/, (n: number) => just({ bitsPerPixel: n })],
  ] as const) {
    const limit = Number(number.exec(strained)![1]);
    assert.equal(ratingOf(at(limit)), 'good', String(number));
    assert.equal(ratingOf(at(limit * (/more/.test(number.source) ? 1.01 : 0.99))), 'strained', String(number));
  }
  for (const word of ['very jerky', 'very late', 'blurred']) assert.ok(bad.includes(`"${word}"`), word);
  for (const word of ['jerky', 'late', 'soft']) assert.ok(strained.includes(`"${word}"`), word);
});

test('where the machine is the cause, it is blamed, and not the link', () => {
  const around: Surroundings = { isMachineLate: true, beside: view, isLinkActive: false };
  const jerky = { ...view, framesPerSecond: 29, frameRate: 60, rttMs: 0.4 };
  assert.equal(ratingOf(jerky, around), 'machine');
  assert.equal(
    sentenceOf(jerky, around),
    'This machine, not the link: very jerky: 29.0 frames per second, 0.40 ms round trip',
  );
  assert.equal(sentenceOf({ ...jerky, sinceLastMs: 640 }, around), 'This machine, not the link: stalled for 0.6 s');
  const beside = { ...view, framesPerSecond: 31 };
  assert.equal(ratingOf(jerky, { ...around, beside, isLinkActive: true }), 'machine', 'the other stream suffers, too');
});

test('the link keeps the blame for what it does, and a good view is good on a busy machine', () => {
  const around: Surroundings = { isMachineLate: true, beside: view, isLinkActive: true };
  const jerky = { ...view, framesPerSecond: 29, rttMs: 20 };
  assert.equal(ratingOf(jerky, around), 'bad', 'its queue is filled, and the other stream is well');
  assert.equal(ratingOf(jerky, { ...around, isLinkActive: false, isMachineLate: false }), 'bad');
  assert.equal(ratingOf({ ...view, rttMs: 300 }, { ...around, isLinkActive: false }), 'strained', 'late is the link');
  assert.equal(ratingOf({ ...view, rttMs: null }, { ...around, isLinkActive: false }), 'bad');
  assert.equal(ratingOf({ ...view, lost: true }, { ...around, isLinkActive: false }), 'bad');
  assert.equal(ratingOf({ ...view, rttMs: 20 }, around), 'good');
});
