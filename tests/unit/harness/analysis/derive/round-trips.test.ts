import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pingRoundTrips } from '../../../../../harness/analysis/derive/round-trips.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, startMs, writeRecord } from '../../support/record.ts';

test('only probes sent in the window count, those without an answer apart', async () => {
  const record = writeRecord(join(temporaryFolder(), 'a'), {
    ping: [
      { timeMs: startMs - 1, sequence: 1, rttMs: 99 },
      { timeMs: startMs, sequence: 2, rttMs: 0 },
      { timeMs: startMs + 200, sequence: 3, rttMs: null },
      { timeMs: endMs - 1, sequence: 4, rttMs: 7 },
      { timeMs: endMs, sequence: 5, rttMs: 99 },
      { timeMs: endMs + 200, sequence: 6, rttMs: null },
    ],
  });
  assert.deepEqual(await pingRoundTrips(record), { rttsMs: [0, 7], lost: 1 });
});
