import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DelayBasedEstimate } from '../../../../../server/congestion/gcc/delay-based.ts';
import { near } from './near.ts';

/**
 * Sends a packet every 30 ms for a second from `fromMs`, each delayed by `growthMs` more, with a feedback message for
 * each. Returns the results.
 */
function run(
  estimate: DelayBasedEstimate,
  fromMs: number,
  growthMs: number,
  options: { firstDelayMs?: number; ackedBps?: number } = {},
) {
  return Array.from({ length: 34 }, (_, i) => {
    const sentMs = fromMs + 30 * i;
    const receivedMs = sentMs + (options.firstDelayMs ?? 400) + growthMs * i;
    return {
      result: estimate.onFeedback([{ sentMs, receivedMs }], options.ackedBps, undefined, receivedMs + 25),
      usage: estimate.usage,
    };
  });
}

function estimate() {
  return new DelayBasedEstimate({ startBps: 1e6, backoffRatio: 0.85, windowSamples: 20 });
}

test('a steady delay lets the rate grow', () => {
  const steady = estimate();
  const last = run(steady, 0, 0, { ackedBps: 1e6 }).at(-1)!.result;
  assert.ok(last.updated && !last.fromProbe);
  // 34 calls 30 ms apart: each adds 8 % per second, at least 1 kbit/s.
  let expectedBps = 1e6 + 1000;
  for (let i = 1; i < 34; i++) expectedBps += Math.max(expectedBps * (1.08 ** 0.03 - 1), 1000);
  near(last.rateBps, expectedBps);
});

test('a growing delay is over-use: a round trip after the last change, 85 % of the acked bitrate remain', () => {
  const growing = estimate();
  const steps = run(growing, 0, 10, { ackedBps: 900e3 });
  // Packet 22 completes the second delta above the threshold after a full window of 20.
  assert.equal(
    steps.findIndex(({ usage }) => usage === 'overuse'),
    22,
  );
  // Feedback arrives every 40 ms. The rate grew with packet 21; 200 ms later are packets 26 and 31.
  assert.deepEqual(
    steps.slice(21, 33).map(({ result }) => result.updated),
    [true, false, false, false, false, true, false, false, false, false, true, false],
  );
  near(steps[26]!.result.rateBps, 0.85 * 900e3 - 5e3);
});

test('over-use before any acked bitrate halves the rate', () => {
  const growing = estimate();
  const steps = run(growing, 0, 10);
  const first = steps.findIndex(({ usage }) => usage === 'overuse');
  near(steps[first]!.result.rateBps, steps[first - 1]!.result.rateBps / 2);
});

test("a probe's result becomes the rate, except during over-use", () => {
  const probed = estimate();
  const result = probed.onFeedback([{ sentMs: 0, receivedMs: 10 }], 1e6, 3e6, 20);
  assert.deepEqual(result, { updated: true, fromProbe: true, rateBps: 3e6, recovered: false });
  const overused = estimate();
  run(overused, 0, 10, { ackedBps: 900e3 });
  const refused = overused.onFeedback([{ sentMs: 1020, receivedMs: 1770 }], 900e3, 3e6, 1795);
  assert.equal(refused.fromProbe, false);
  assert.ok(refused.rateBps < 1e6);
});

test('the end of an under-use is reported once', () => {
  const draining = estimate();
  run(draining, 0, 10, { ackedBps: 900e3, firstDelayMs: 400 });
  const falling = run(draining, 1020, -10, { ackedBps: 900e3, firstDelayMs: 740 });
  assert.ok(falling.some(({ usage }) => usage === 'underuse'));
  const after = run(draining, 2040, 0, { ackedBps: 900e3, firstDelayMs: 400 });
  const recoveries = [...falling, ...after].filter(({ result }) => result.recovered);
  assert.equal(recoveries.length, 1);
});

test('2 s without feedback start the detector anew', () => {
  const silent = estimate();
  run(silent, 0, 10, { ackedBps: 900e3 });
  assert.equal(silent.usage, 'overuse');
  // The last feedback was at 30 x 33 + 400 + 10 x 33 + 25 = 1745.
  silent.onFeedback([{ sentMs: 3000, receivedMs: 3720 }], 900e3, undefined, 3745);
  assert.notEqual(silent.thresholdMs, 12.5);
  silent.onFeedback([{ sentMs: 5000, receivedMs: 5721 }], 900e3, undefined, 5746);
  assert.equal(silent.usage, 'normal');
  assert.equal(silent.thresholdMs, 12.5);
});

test('a message without arrivals changes nothing', () => {
  assert.deepEqual(estimate().onFeedback([], 1e6, 2e6, 0), {
    updated: false,
    fromProbe: false,
    rateBps: 1e6,
    recovered: false,
  });
});
