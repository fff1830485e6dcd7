import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { seriesTable } from '../../../../harness/exchange/series-table.ts';
import { timelineRows, timelineSeries } from '../../../../harness/exchange/timeline-series.ts';
import { simulateViewing } from '../../../sim/viewing.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endMs, writeRecord } from '../support/record.ts';

const folder = temporaryFolder();
const parts = ['encoderMs', 'pacerMs', 'queueMs', 'wireMs', 'repairMs', 'jitterBufferMs', 'decodeMs'] as const;

test("each frame has its moments, its packets' fates and parts that add up to its latency", async () => {
  const rows = await timelineRows(
    simulateViewing({ faults: { loss: { fromMs: 12_000, toMs: 12_100 } } }).write(join(folder, 'faulty')),
  );
  const shown = rows.filter(({ presentedMs }) => presentedMs !== null);
  assert.ok(shown.length > 400, String(shown.length));
  for (const row of shown) {
    assert.ok(Math.abs(parts.reduce((sum, part) => sum + row[part]!, 0) - row.latencyMs!) < 1e-6, JSON.stringify(row));
    assert.equal(row.latencyMs, row.presentedMs! - row.captureMs);
  }
  assert.ok(
    shown.every(
      ({ captureMs, encodedMs, firstSentMs, copySentMs, copyOfferedMs }) =>
        captureMs <= encodedMs &&
        encodedMs <= firstSentMs &&
        (copySentMs === null ? copyOfferedMs === null : firstSentMs <= copySentMs && copySentMs <= copyOfferedMs!),
    ),
  );
  const lost = rows.filter(({ lostPackets }) => lostPackets > 0);
  assert.ok(lost.length > 0);
  for (const row of lost) {
    assert.equal(row.randomLossPackets, row.lostPackets);
    assert.ok(
      row.repairPackets >= row.lostPackets && row.repairSentMs! > row.lossSeenMs! && row.lossSeenMs! > row.lossSentMs!,
    );
  }
});

test('what was never presented has no latency, and what is not known no value', async () => {
  const rows = await timelineRows(simulateViewing({ faults: {} }).write(join(folder, 'calm')));
  const late = rows.filter(({ presentedMs }) => presentedMs === null);
  assert.ok(late.length > 0 && late.every(row => row.latencyMs === null && parts.every(part => row[part] === null)));
  assert.ok(late.every(({ captureMs }) => captureMs > endMs - 200));
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      assert.ok(value === null || typeof value === 'boolean' || Number.isFinite(value), `${name} ${value}`);
});

test('the table has every column that is described, in that order', async () => {
  const table = await seriesTable(simulateViewing({ faults: {} }).write(join(folder, 'table')), timelineSeries);
  assert.deepEqual(
    table!.map(({ name }) => name),
    Object.keys(timelineSeries.fields),
  );
});

test('a trial that was not completed, or whose sender tells nothing of its frames, has none', async () => {
  assert.deepEqual(
    await timelineRows(
      writeRecord(
        join(folder, 'broken'),
        { 'frames.sent': [{ frame: 0, rtpTimestamp: 7, captureMs: 1 }] },
        { phases: null },
      ),
    ),
    [],
  );
  assert.equal(await seriesTable(writeRecord(join(folder, 'silent'), {}), timelineSeries), undefined);
});
