import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MediaRate, type MediaState } from '../../../../../server/congestion/scream/media-rate.ts';
import { near } from '../gcc/near.ts';

const params = {
  rampUpSpeed: 200e3,
  preCongestionGuard: 0.1,
  txQueueSizeFactor: 1,
  ecnBeta: 0.9,
  rateChange: 'as-written' as const,
};

/** State of a sender whose encoder produces the requested rate, all of which is received. */
const fast: MediaState = {
  inFastIncrease: true,
  trend: 0,
  trendMemory: 0,
  currentBps: 1e6,
  mediaBps: 1e6,
  queuedBytes: 0,
};
const steady: MediaState = { ...fast, inFastIncrease: false };

const media = (given = {}) => new MediaRate({ ...params, ...given }, 1e6, 50e3, 5e6);

test('it starts at the start rate, within the limits', () => {
  assert.equal(media().targetBps, 1e6);
  assert.equal(new MediaRate(params, 10e3, 50e3, 5e6).targetBps, 50e3);
  const rate = media();
  rate.setLimits(50e3, 600e3);
  assert.equal(rate.targetBps, 600e3);
});

test('in fast increase mode it grows by 200 kbit/s in a second, at low rates by half of itself', () => {
  const rate = media();
  rate.adjust(fast);
  near(rate.targetBps, 1e6 + 200e3 * 0.2);
  const low = new MediaRate(params, 100e3, 50e3, 5e6);
  low.adjust(fast);
  near(low.targetBps, 100e3 + 50e3 * 0.2);
});

test('it is at most twice what encoder and path have shown, less after congestion', () => {
  const rate = media();
  rate.adjust({ ...fast, currentBps: 300e3, mediaBps: 400e3 });
  near(rate.targetBps, 800e3);
  rate.adjust({ ...fast, currentBps: 500e3, mediaBps: 400e3, trendMemory: 0.7 });
  near(rate.targetBps, 650e3);
});

test('near the last congestion it grows by a fifth of that, from a quarter away at full speed', () => {
  const rate = media();
  rate.markCongestion();
  rate.adjust(fast);
  near(rate.targetBps, 1e6 + 0.2 * 40e3);
  const away = new MediaRate(params, 1e6, 50e3, 5e6);
  away.markCongestion();
  for (let i = 0; i < 40; i++) away.adjust({ ...fast, currentBps: 5e6 });
  const before = away.targetBps;
  assert.ok(before > 1.25e6, `${before}`);
  away.adjust({ ...fast, currentBps: 5e6 });
  near(away.targetBps, before + 40e3);
});

test('a loss leaves nine tenths at once, a mark the share that was set; then growth is slow', () => {
  const rate = media({ ecnBeta: 0.7 });
  rate.onCongestion('loss');
  near(rate.targetBps, 900e3);
  rate.adjust(fast);
  // ((0.9 - 1) x 4) squared is 0.16, below the least scale of 0.2
  near(rate.targetBps, 900e3 + 0.2 * 40e3);
  const marked = media({ ecnBeta: 0.7 });
  marked.onCongestion('ecn');
  near(marked.targetBps, 700e3);
});

test('it is not cut below the minimum', () => {
  const rate = media();
  for (let i = 0; i < 100; i++) rate.onCongestion('loss');
  assert.equal(rate.targetBps, 50e3);
});

test("outside of fast increase mode, as written: the ramp-up speed, as long as the sender's queue is short", () => {
  const rate = media();
  rate.adjust(steady);
  near(rate.targetBps, 1e6 + 40e3);
  // 2501 bytes at 1 Mbit/s are 20.008 ms
  const queued = media();
  queued.adjust({ ...steady, queuedBytes: 2501 });
  near(queued.targetBps, (1e6 + 40e3) * 0.95);
  const short = media();
  short.adjust({ ...steady, queuedBytes: 2499 });
  near(short.targetBps, 1e6 + 40e3);
});

test("... and down only where the queue holds more than a second's worth", () => {
  const rate = media();
  rate.adjust({ ...steady, queuedBytes: 150_000 });
  near(rate.targetBps, (1e6 + 1e6 - 150_000 * 8) * 0.95);
});

test('outside of fast increase mode, by the difference: towards the throughput, less trend and queue', () => {
  const rate = media({ rateChange: 'difference' });
  rate.adjust({ ...steady, trend: 0.5 });
  near(rate.targetBps, 1e6 * (1 - 0.1 * 0.5));
  const queued = media({ rateChange: 'difference' });
  queued.adjust({ ...steady, queuedBytes: 1000 });
  near(queued.targetBps, 1e6 - 8000);
  const higher = media({ rateChange: 'difference' });
  higher.adjust({ ...steady, currentBps: 1.01e6 });
  near(higher.targetBps, 1.01e6);
});
