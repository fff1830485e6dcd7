import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReferenceWindow, type WindowSignal } from '../../../../../server/congestion/scream-v2/reference-window.ts';
import { near } from '../gcc/near.ts';

const params = { minWindow: 3000, lossBeta: 0.7, ecnBeta: 0.8, ecn: 'classic' as const };

/** A message with no acked bytes, an empty queue, a round trip of 50 ms and room to grow. */
const quiet: WindowSignal = {
  sawLoss: false,
  sawMark: false,
  virtualMarks: undefined,
  l4sAlpha: 0,
  queueDelayMs: 0,
  averageQueueDelayMs: 0,
  queueDelayTargetMs: 60,
  rttMs: 50,
  ackedBytes: 0,
  previousFlightBytes: 1e6,
  flightBytes: 1e6,
  isAtMaximum: false,
};

/** Returns a window of `minWindow` bytes that has never seen congestion. */
const windowOf = (minWindow: number, given = {}) => new ReferenceWindow({ ...params, ...given, minWindow });

/** Returns the ratio to which the signals reduce a window of 20 segments. Its minimum is far below. */
function reduced(signals: readonly (Partial<WindowSignal> & { atMs: number })[], given = {}): number {
  const window = new ReferenceWindow({ ...params, ...given });
  while (window.bytes < 20_000) window.onFeedback({ ...quiet, ackedBytes: 1000 }, 0);
  const before = window.bytes;
  for (const { atMs, ...signal } of signals) window.onFeedback({ ...quiet, ...signal }, atMs);
  return window.bytes / before;
}

test('it starts at the minimum, and the ratio of a segment to it is 1 at most', () => {
  const window = windowOf(3000);
  assert.equal(window.bytes, 3000);
  near(window.segmentRatio, 1 / 3);
  assert.equal(windowOf(500).segmentRatio, 1);
});

test('growth without congestion: a segment per window acked, less for small windows, more by 2 % of the window in segments', () => {
  const window = windowOf(20_000);
  window.onFeedback({ ...quiet, ackedBytes: 20_000 }, 1000);
  near(window.bytes, 20_000 + 1000 * 0.95 * (1 + 0.02 * 20));
  const small = windowOf(1000);
  small.onFeedback({ ...quiet, ackedBytes: 1000 }, 1000);
  near(small.bytes, 1000 + 1000 * 0.5 * 1.02);
});

test('growth on a path shorter than 25 ms is less by the square', () => {
  const window = windowOf(20_000);
  window.onFeedback({ ...quiet, ackedBytes: 20_000, rttMs: 12.5 }, 1000);
  near(window.bytes, 20_000 + 1000 * 0.25 * 0.95 * 1.4);
});

test('growth falls off as the queue grows to a quarter of its target, not where the path marks', () => {
  const grown = (signal: Partial<WindowSignal>) => {
    const window = windowOf(20_000);
    window.onFeedback({ ...quiet, ackedBytes: 20_000, ...signal }, 1000);
    return (window.bytes - 20_000) / (1000 * 0.95 * 1.4);
  };
  near(grown({ averageQueueDelayMs: 7.5 }), 0.5);
  near(grown({ averageQueueDelayMs: 15 }), 0.1);
  near(grown({ averageQueueDelayMs: 15, l4sAlpha: 0.01 }), 1);
});

test('no growth far above what is in flight, nor at the maximum rate', () => {
  const window = windowOf(20_000);
  window.onFeedback({ ...quiet, ackedBytes: 20_000, flightBytes: 13_000 }, 1000);
  assert.equal(window.bytes, 20_000);
  window.onFeedback({ ...quiet, ackedBytes: 20_000, isAtMaximum: true }, 1000);
  assert.equal(window.bytes, 20_000);
  window.onFeedback({ ...quiet, ackedBytes: 20_000, flightBytes: 13_600 }, 1000);
  assert.ok(window.bytes > 20_000);
});

test('a loss leaves seven tenths, a classic mark four fifths, both both', () => {
  near(reduced([{ atMs: 1000, sawLoss: true }]), 0.7);
  near(reduced([{ atMs: 1000, sawMark: true }]), 0.8);
  near(reduced([{ atMs: 1000, sawLoss: true, sawMark: true }]), 0.56);
});

test('it reacts once in 25 ms or a shorter round trip; what came in between is answered then', () => {
  near(
    reduced([
      { atMs: 1000, sawLoss: true },
      { atMs: 1024, sawLoss: true },
    ]),
    0.7,
  );
  near(reduced([{ atMs: 1000, sawLoss: true }, { atMs: 1024, sawLoss: true }, { atMs: 1025 }]), 0.49);
  near(
    reduced([
      { atMs: 1000, sawLoss: true },
      { atMs: 1010, sawLoss: true, rttMs: 10 },
    ]),
    0.49,
  );
});

test('it is never below the minimum', () => {
  const window = windowOf(3000);
  for (let i = 0; i < 10; i++) window.onFeedback({ ...quiet, sawLoss: true }, i * 100);
  assert.equal(window.bytes, 3000);
});

test('a long queue takes half of the virtual share, a loss beside it hides it', () => {
  const share = reduced([{ atMs: 1000, virtualMarks: 0.4 }]);
  // the window is a little above 20 segments, its segment ratio just below 0.05
  assert.ok(share > 1 - 0.2 && share < 1 - 0.2 * 0.94, `${share}`);
  near(reduced([{ atMs: 1000, virtualMarks: 0.4, sawLoss: true }]), 0.7);
});

test('L4S: half of the marked share; a quarter of that at the inflection point with a short queue', () => {
  const marks = { atMs: 1000, sawMark: true, l4sAlpha: 0.4 };
  const far = reduced([{ ...marks, queueDelayMs: 15 }], { ecn: 'l4s' });
  assert.ok(far > 1 - 0.2 && far < 1 - 0.2 * 0.94, `${far}`);
  const close = reduced([{ ...marks, queueDelayMs: 14 }], { ecn: 'l4s' });
  near((1 - close) / (1 - far), 0.25);
});

test('L4S: after a hundred round trips without congestion the window first comes down to what was in flight', () => {
  const share = reduced([{ atMs: 1000, sawMark: true, l4sAlpha: 0, previousFlightBytes: 10_000 }], { ecn: 'l4s' });
  assert.ok(share > 0.45 && share <= 0.5, `${share}`);
  near(
    reduced(
      [
        { atMs: 1000, sawMark: true },
        { atMs: 1100, sawMark: true, previousFlightBytes: 10_000 },
      ],
      { ecn: 'l4s' },
    ),
    1,
  );
});

test('near the last congestion growth is a quarter, and not multiplied', () => {
  const window = windowOf(20_000, { lossBeta: 1 });
  window.onFeedback({ ...quiet, sawLoss: true }, 1000);
  window.onFeedback({ ...quiet, ackedBytes: 20_000, rttMs: 10 }, 1000 + 100 * 25);
  // at the inflection point the scale is 0.1: growth by a quarter of a segment, and after 100 virtual round trips times
  // 1 + 0.4 x 0.1
  near(window.bytes, 20_000 + 1000 * (10 / 25) ** 2 * 0.25 * 0.95 * 1.04);
});

test('the inflection point moves once in ten round trips', () => {
  const window = windowOf(1000, { lossBeta: 0.5 });
  while (window.bytes < 20_000) window.onFeedback({ ...quiet, ackedBytes: 1000 }, 0);
  const top = window.bytes;
  window.onFeedback({ ...quiet, sawLoss: true }, 1000);
  window.onFeedback({ ...quiet, sawLoss: true }, 1500);
  // a quarter of the top is far from both possible inflection points, the top and its half, so growth is not scaled
  near(window.bytes, top / 4);
  const before = window.bytes;
  window.onFeedback({ ...quiet, ackedBytes: before }, 1500);
  near(window.bytes, before + 1000 * (1 - 1000 / before));
});
