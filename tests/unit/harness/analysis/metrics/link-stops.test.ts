import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/link-stops/index.ts';
import type { QueueLogReading } from '../../../../../harness/record/trial-file.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { application, condition, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const down = { count: 3, longestMs: 12.5, sumMs: 24 };
const up = { direction: 'up', count: 1, longestMs: 7, sumMs: 7 } as const;
const logOf = (stops?: QueueLogReading['stops']): QueueLogReading => ({
  records: 1,
  lostRecords: 0,
  traffic: [],
  ...(stops === undefined ? {} : { stops }),
});

const valuesOf = async (name: string, queueLog: QueueLogReading | null, direction: 'down' | 'up' = 'down') =>
  Object.values(
    await plugin.compute(
      writeRecord(
        join(folder, name),
        {},
        {
          queueLog,
          condition: {
            ...condition,
            applications: [{ ...application('service', 'video-call', 'live-clip', {}), direction }],
          },
        },
      ),
    ),
  );

test('the longest stop and the sum, of the bottleneck that the subject sends through', async () => {
  assert.deepEqual(await valuesOf('down', logOf([up, down])), [12.5, 24]);
  assert.deepEqual(await valuesOf('up', logOf([down, up]), 'up'), [7, 7]);
});

test('a link that never stood still has 0; without a log, on a trace and in an old record it is not known', async () => {
  assert.deepEqual(await valuesOf('never', logOf([{ count: 0, longestMs: 0, sumMs: 0 }])), [0, 0]);
  assert.deepEqual(await valuesOf('off', null), [null, null]);
  assert.deepEqual(await valuesOf('trace', logOf([])), [null, null]);
  assert.deepEqual(await valuesOf('old', logOf()), [null, null]);
});
