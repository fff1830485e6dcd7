import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/flow-completion/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, startMs, writeRecord } from '../../support/record.ts';

test('the flows that ended in the window, and their times; null where a service has no flows with a size', async () => {
  const folder = temporaryFolder();
  const flow = (timeMs: number, durationMs: number) => ({
    kind: 'batch',
    timeMs,
    number: 1,
    durationMs,
    bytes: 40_000,
  });
  const record = writeRecord(join(folder, 'flows'), {
    service: [
      flow(startMs - 1, 1),
      flow(startMs + 10, 100), // it began before the window
      flow(startMs + 500, 200),
      flow(startMs + 900, 300),
      flow(endMs, 900),
      flow(endMs + 1, 5000),
    ],
  });
  const { 'flow-completion-p95': p95, ...rest } = await plugin.compute(record);
  assert.deepEqual(rest, { 'completed-flows': 4, 'flow-completion-median': 250 });
  assert.ok(p95! > 300 && p95! <= 900, `${p95}`);
  const none = await plugin.compute(writeRecord(join(folder, 'none'), {}));
  assert.deepEqual(none, { 'completed-flows': null, 'flow-completion-median': null, 'flow-completion-p95': null });
});
