import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  afterMs,
  type Effect,
  effectsOf,
  framePeriodMs,
  harmlessUpToMs,
  longestGapMs,
  movesFromMs,
  type Seen,
} from '../../bench/qoe/hold-up-effects.ts';

const every = (ms: number, count: number) => Array.from({ length: count }, (_, i) => i * ms);

/** Five seconds of a stream that nothing disturbs, with a change. */
const seen = (change: Partial<Seen> = {}): Seen => ({
  presentedMs: every(20, 250),
  latencies: every(20, 250).map(timeMs => ({ timeMs, latencyMs: 30 })),
  targets: every(50, 100).map(timeMs => ({ timeMs, bps: 8e6 })),
  roundTrips: every(200, 25).map(timeMs => ({ timeMs, ms: 2 })),
  carried: every(100, 50).map(timeMs => ({ timeMs, bytes: 1000 })),
  readings: { senderDelayMs: every(1000, 6).map(timeMs => ({ timeMs, ms: 5 })) },
  ...change,
});

const held = { lengthMs: 100, fromMs: 2000, toMs: 2100 };

test('a gap counts if any part of it lies in the time, with its whole length', () => {
  const times = [0, 20, 120, 140];
  assert.equal(longestGapMs(times, 30, 60), 100);
  assert.equal(longestGapMs(times, 119, 130), 100);
  assert.equal(longestGapMs(times, 120, 130), 20);
  assert.equal(longestGapMs(times, 200, 300), 0);
});

test('a hold-up that nobody saw has no effect', () => {
  const [effect] = effectsOf(seen(), [held]);
  const { missingFrames, ...rest } = effect!;
  assert.ok(Math.abs(missingFrames - ((100 + afterMs) / framePeriodMs - 30)) < 1e-9);
  assert.deepEqual(rest, {
    lengthMs: 100,
    gapMs: 20,
    latencyMs: 0,
    targetRatio: 1,
    roundTripMs: 0,
    carriedRatio: 1,
    readings: { senderDelayMs: 5 },
  });
});

test('what comes within half a second of its end counts, what comes later does not', () => {
  const late = (timeMs: number) => {
    const disturbed = seen({
      presentedMs: every(20, 250).filter(t => t < timeMs - 90 || t >= timeMs),
      latencies: [...seen().latencies, { timeMs, latencyMs: 90 }],
      targets: [...seen().targets, { timeMs, bps: 6e6 }].sort((a, b) => a.timeMs - b.timeMs),
      roundTrips: [...seen().roundTrips, { timeMs, ms: 42 }],
    });
    const [{ gapMs, latencyMs, targetRatio, roundTripMs }] = effectsOf(disturbed, [held]) as [Effect];
    return { gapMs, latencyMs, targetRatio, roundTripMs };
  };
  assert.deepEqual(late(2500), { gapMs: 100, latencyMs: 60, targetRatio: 0.75, roundTripMs: 40 });
  assert.deepEqual(late(3500), { gapMs: 20, latencyMs: 0, targetRatio: 1, roundTripMs: 0 });
});

test('the reading of a hold-up is that of the second in which it lay, or of both', () => {
  const readings = { senderDelayMs: [1000, 2050, 3050].map((timeMs, i) => ({ timeMs, ms: [7, 60, 90][i]! })) };
  const of = (fromMs: number, toMs: number) =>
    effectsOf(seen({ readings }), [{ lengthMs: toMs - fromMs, fromMs, toMs }])[0]!.readings['senderDelayMs'];
  assert.equal(of(1500, 1600), 60);
  assert.equal(of(2000, 2100), 90);
  assert.equal(of(500, 600), 7);
  assert.ok(Number.isNaN(of(4000, 4100)));
});

/** Hold-ups of some lengths with what each did, and stretches without. */
const withGaps = (gaps: Record<number, number[]>): Effect[] =>
  Object.entries(gaps).flatMap(([lengthMs, all]) =>
    all.map(gapMs => ({ ...effectsOf(seen(), [held])[0]!, lengthMs: Number(lengthMs), gapMs })),
  );

test('a value moves from the shortest length on from which no longer one leaves it alone', () => {
  const gapMs = (effect: Effect) => effect.gapMs;
  const quiet = [17, 17, 33, 33, 34];
  assert.equal(movesFromMs(withGaps({ 0: quiet, 10: [34], 50: [60, 60], 100: [110, 110] }), gapMs, 17), 50);
  assert.equal(movesFromMs(withGaps({ 0: quiet, 50: [60], 75: [33], 100: [110] }), gapMs, 17), 100);
  assert.equal(movesFromMs(withGaps({ 0: quiet, 50: [45], 100: [49] }), gapMs, 17), undefined, 'within the resolution');
  assert.equal(
    movesFromMs(withGaps({ 0: [17, 90, 90], 50: [60], 100: [80] }), gapMs, 17),
    undefined,
    'within what is seen without',
  );
  assert.equal(movesFromMs(withGaps({ 50: [60] }), gapMs, 17), undefined, 'nothing to compare with');
});

test('a length is harmless if neither it nor a shorter one made a stall or lowered the target, not even once', () => {
  assert.equal(harmlessUpToMs(withGaps({ 0: [17], 50: [60], 100: [110, 199], 150: [201, 160], 200: [190] })), 100);
  assert.equal(harmlessUpToMs(withGaps({ 0: [17], 50: [60], 100: [110] })), 100);
  assert.equal(harmlessUpToMs(withGaps({ 0: [17], 50: [230], 100: [110] })), 0);
  const [slowed] = withGaps({ 75: [90] });
  assert.equal(harmlessUpToMs([...withGaps({ 50: [60], 100: [110] }), { ...slowed!, targetRatio: 0.9 }]), 50);
});
