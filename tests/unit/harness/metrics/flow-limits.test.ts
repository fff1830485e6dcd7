import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../harness/metrics/flow-limits/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endMs, flood, startMs, tcp, writeRecord } from '../support/record.ts';

const folder = temporaryFolder();
const halfMs = (endMs - startMs) / 2;
const socket = (port: number, limits: object) => [
  tcp(startMs, 'sender', port, { busyMs: 100 }),
  tcp(endMs, 'sender', port, { busyMs: 100 + 2 * halfMs, ...limits }),
];

test('the most limited flow of the flood; nothing of an application without flows that tell', async () => {
  const lines = [...socket(9, { sendBufferLimitedMs: halfMs }), ...socket(10, { receiveWindowLimitedMs: halfMs / 2 })];
  const record = writeRecord(join(folder, 'two'), { tcp: lines }, { flood });
  assert.deepEqual(await plugin.compute(record), {
    'send-buffer-limited': null,
    'receive-window-limited': null,
    'flood-send-buffer-limited': 0.5,
    'flood-receive-window-limited': 0.25,
  });
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'none'), {}, { flood })), {
    'send-buffer-limited': null,
    'receive-window-limited': null,
    'flood-send-buffer-limited': null,
    'flood-receive-window-limited': null,
  });
});

test('a flood that is looked at by itself has values of its own', async () => {
  const record = writeRecord(join(folder, 'own'), { tcp: socket(9, { sendBufferLimitedMs: halfMs }) }, { flood });
  const own = await plugin.compute(record.floods()[0]!);
  assert.equal(own['send-buffer-limited'], 0.5);
  assert.equal(own['receive-window-limited'], 0);
});
