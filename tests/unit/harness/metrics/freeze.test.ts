import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin, w3cFreezes } from '../../../../harness/metrics/freeze/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endMs, every, presentedAt, startMs, stats, writeRecord } from '../support/record.ts';

const folder = temporaryFolder();
const window = { startMs: 1000, endMs: 3000 };

/** Pictures every `stepMs` up to 1500, then one after `gapMs`, then none that matters. */
const withGap = (stepMs: number, gapMs: number) => w3cFreezes([...every(stepMs, 500, 1500), 1500 + gapMs, ...every(stepMs, 1500 + gapMs + stepMs, 3000)], window);

test('at 50 pictures a second a freeze is 20 ms + 150 ms', () => {
  assert.deepEqual(withGap(20, 169), []);
  assert.deepEqual(withGap(20, 170), [{ lengthMs: 170, insideMs: 170 }]);
});

test('at 10 pictures a second a freeze is 3 times 100 ms', () => {
  assert.deepEqual(withGap(100, 299), []);
  assert.deepEqual(withGap(100, 300), [{ lengthMs: 300, insideMs: 300 }]);
});

test('the mean is that of the last 30 durations, a freeze among them', () => {
  // 29 durations of 20 ms and one of 320 ms: mean 30 ms, so the next freeze is one of 30 + 150 ms
  const before = every(20, 100, 680); // 29 durations
  const slow = [...before, 1000]; // and one of 320 ms
  assert.equal(w3cFreezes([...slow, 1000 + 179], { startMs: 1000, endMs: 1179 }).length, 0);
  assert.equal(w3cFreezes([...slow, 1000 + 180], { startMs: 1000, endMs: 1180 }).length, 1);
  // after 30 of 20 ms more, the slow one is forgotten
  const later = [...slow, ...every(20, 1020, 1600)];
  assert.equal(w3cFreezes([...later, 1600 + 170], { startMs: 1590, endMs: 1770 }).length, 1);
});

test('before five durations there is no mean and no freeze', () => {
  assert.deepEqual(w3cFreezes([...every(20, 1000, 1080), 2000, 3000], window).length, 1); // four, then 920 ms: only the one after it counts
  assert.equal(w3cFreezes([...every(20, 1000, 1100), 2000, 2990], window).length, 2); // five
});

test('a freeze counts where it ends, with its part inside the window', () => {
  assert.deepEqual(w3cFreezes([...every(20, 500, 800), 1300, ...every(20, 1320, 3000)], window), [{ lengthMs: 500, insideMs: 300 }]);
  assert.deepEqual(w3cFreezes([...every(20, 300, 500), 1000, ...every(20, 1020, 3000)], window), []);
});

test('one under way at the window\'s end counts as far as the window goes', () => {
  for (const after of [[], [3001], [9000]]) assert.deepEqual(w3cFreezes([...every(20, 500, 2700), ...after], window), [{ lengthMs: 300, insideMs: 300 }]);
});

test('the metric gives both its own count and Chromium\'s', async () => {
  const record = writeRecord(join(folder, 'a'), {
    'frames.presented': presentedAt([...every(20, startMs - 1000, 12_000), ...every(20, 12_500, 15_000), ...every(20, 15_200, endMs)]),
    'stats': [stats(startMs, { freezeCount: 1, totalFreezesDuration: 0.4 }), stats(endMs, { freezeCount: 3, totalFreezesDuration: 1.15 })],
  });
  const values = await plugin.compute(record);
  assert.deepEqual({ ...values, 'chromium-freeze-time': Number(values['chromium-freeze-time']!.toFixed(9)) }, {
    'freeze-count': 2, 'freeze-time': (500 + 200) / 1000, 'chromium-freeze-count': 3 - 1, 'chromium-freeze-time': 0.75,
  });
});

test('a record without pictures or without counters has no values', async () => {
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'none'), {})), {
    'freeze-count': null, 'freeze-time': null, 'chromium-freeze-count': null, 'chromium-freeze-time': null,
  });
});
