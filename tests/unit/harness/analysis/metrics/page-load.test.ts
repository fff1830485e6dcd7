import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/page-load/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();

test('the median load of the window, the load event, and the share that failed; null without pages', async () => {
  const load = (number: number, tookMs: number | null) => ({
    kind: 'load',
    number,
    startMs: startMs + 1000 * number,
    timeMs: startMs + 1000 * number + (tookMs ?? 900),
    loadMs: tookMs,
    firstContentMs: tookMs,
    aboveTheFoldMs: tookMs === null ? null : tookMs - 100,
    speedIndexMs: null,
    bytes: 1000,
  });
  const before = { ...load(1, 5000), startMs: startMs - 3000 };
  const record = writeRecord(join(folder, 'pages'), {
    service: [before, load(2, 400), load(3, 500), load(4, 600), load(5, null)],
  });
  // loads of 300, 400 and 500 ms, and a load that took longer than all others
  assert.deepEqual(await plugin.compute(record), { 'page-load': 450, 'load-event': 550, 'failed-loads': 0.25 });
  const none = await plugin.compute(writeRecord(join(folder, 'none'), {}));
  assert.deepEqual(none, { 'page-load': null, 'load-event': null, 'failed-loads': null });
});
