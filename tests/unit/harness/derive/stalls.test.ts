import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { stallThresholdMs } from '../../../../core/stalls.ts';
import { stallsOf } from '../../../../harness/derive/stalls.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endMs, presentedAt, startMs, writeRecord } from '../support/record.ts';

test('a stall is more than 200 ms without a new frame', async () => {
  const record = writeRecord(join(temporaryFolder(), 'a'), {
    'frames.presented': presentedAt([startMs - 50, startMs + 150, startMs + 351, endMs - 150, endMs + 900]),
  });
  // 200 ms: none; 201 ms: a stall; then until 150 ms before the end: a stall; the 150 ms left: none
  assert.deepEqual(await stallsOf(record), [
    { lengthMs: 201, startMs: startMs + 150, endMs: startMs + 351 },
    { lengthMs: 9499, startMs: startMs + 351, endMs: endMs - 150 },
  ]);
  assert.equal(stallThresholdMs, 200);
  assert.equal((await stallsOf(record, 100)).length, 4);
});
