import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/sender/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, sender, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();

test('the rate it was allowed and the frames it left out, inside the window only', async () => {
  const skip = (captureMs: number, skipped: string, count: number) => ({ frame: 0, captureMs, skipped, count });
  const record = writeRecord(
    join(folder, 'a'),
    {
      sender: [
        sender(startMs - 1, { targetBps: 9e9 }),
        sender(startMs, { targetBps: 1e6 }),
        sender(startMs + 5000, { targetBps: 2e6 }),
        sender(endMs, { targetBps: 6e6 }),
        sender(endMs + 1, { targetBps: 9e9 }),
      ],
      'frames.sent': [
        skip(startMs - 1, 'late', 50),
        skip(startMs, 'late', 2),
        skip(startMs + 100, 'pacer', 1),
        skip(startMs + 200, 'late', 1),
        skip(startMs + 300, 'pacer', 4),
        skip(startMs + 400, 'pushback', 7),
        skip(endMs, 'pacer', 50),
        { frame: 1, captureMs: startMs, encodedMs: startMs + 5 },
      ],
    },
    { cpuRatio: { 'service server': 0.35, client: 1.2, harness: 0.1 } },
  );
  assert.deepEqual(await plugin.compute(record), {
    'target-rate-mean': 3e6,
    'frames-skipped-late': 2 + 1,
    'frames-skipped-pacer': 1 + 4,
    'frames-skipped-pushback': 7,
    'server-cpu': 0.35,
  });
});

test('of an empty record nothing is known', async () => {
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'none'), {})), {
    'target-rate-mean': null,
    'frames-skipped-late': null,
    'frames-skipped-pacer': null,
    'frames-skipped-pushback': null,
    'server-cpu': null,
  });
});

test('a browser as the sender says its target, and not what it leaves out', async () => {
  const caller = (timeMs: number, targetBitrate: number) => ({
    timeMs,
    outbound: { targetBitrate },
    candidatePair: null,
    remoteInbound: null,
    cpuLimitedS: 0,
    mainThreadDelayMaxMs: 1,
    visible: true,
  });
  const record = writeRecord(join(folder, 'call'), {
    caller: [
      caller(startMs - 1, 9e9),
      caller(startMs, 1e6),
      caller(endMs, 2e6),
      { ...caller(endMs, 0), outbound: null },
    ],
  });
  assert.deepEqual(await plugin.compute(record), {
    'target-rate-mean': 1.5e6,
    'frames-skipped-late': null,
    'frames-skipped-pacer': null,
    'frames-skipped-pushback': null,
    'server-cpu': null,
  });
});
