import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/flow-limits/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, flood, startMs, tcp, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const halfMs = (endMs - startMs) / 2;
const socket = (port: number, limits: object) => [
  tcp(startMs, 'sender', port, { busyMs: 100 }),
  tcp(endMs, 'sender', port, { busyMs: 100 + 2 * halfMs, ...limits }),
];

test('the most limited flow of the floods; nothing where none tells', async () => {
  const lines = [...socket(9, { sendBufferLimitedMs: halfMs }), ...socket(10, { receiveWindowLimitedMs: halfMs / 2 })];
  const record = writeRecord(join(folder, 'two'), { tcp: lines }, { flood });
  const limited = { 'send-buffer-limited': 0.5, 'receive-window-limited': 0.25 };
  assert.deepEqual(await plugin.compute(record), limited);
  assert.deepEqual(await plugin.compute(record.floods()[0]!), limited, 'a flood that is looked at by itself');
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'none'), {}, { flood })), {
    'send-buffer-limited': null,
    'receive-window-limited': null,
  });
});
