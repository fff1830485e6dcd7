import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/flows/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, flood, startMs, tcp, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const queueFlow = (
  application: 'service' | 'flood',
  sourcePort: number,
  sentPackets: number,
  overflow: number,
  p50Ms: number | null,
) => ({
  application,
  latePackets: 0,
  protocol: 6,
  sourcePort,
  destinationPort: 5201,
  sentPackets,
  sentBytes: sentPackets * 1514,
  markedPackets: 0,
  droppedPackets: { overflow: overflow, 'random-loss': 99, aqm: 0, other: 0 },
  delay: p50Ms === null ? null : { meanMs: 0, p5Ms: 0, p50Ms, p95Ms: 0, p99Ms: 0, maxMs: 0 },
});
const socket = (port: number, mbps: number) => [
  tcp(startMs, 'receiver', port, { bytesReceived: 0 }),
  tcp(endMs, 'receiver', port, { bytesReceived: mbps * 1.25e6 }),
];
const none = {
  'flow-goodput-least': null,
  'flow-goodput-most': null,
  'flow-queue-delay-least': null,
  'flow-queue-delay-most': null,
  'flow-queue-loss-least': null,
  'flow-queue-loss-most': null,
};

test('the least and the most that a flow got; the connection without data and other senders are none', async () => {
  const flows = [
    queueFlow('flood', 8, 20, 0, 1),
    queueFlow('flood', 9, 900, 100, 12),
    queueFlow('flood', 10, 950, 50, 14),
    queueFlow('service', 9, 1, 99, 99),
  ];
  const record = writeRecord(
    join(folder, 'two'),
    { tcp: [...socket(9, 3), ...socket(10, 5)] },
    { flood, queueLog: { records: 1, lostRecords: 0, traffic: [], flows } },
  );
  const together = await plugin.computeTogether!(record.others(), record);
  assert.deepEqual(await plugin.compute(record.as('flood')), together, 'the only other application');
  assert.deepEqual(together, {
    'flow-goodput-least': 3e6,
    'flow-goodput-most': 5e6,
    'flow-queue-delay-least': 12,
    'flow-queue-delay-most': 14,
    'flow-queue-loss-least': 0.05,
    'flow-queue-loss-most': 0.1,
  });
});

test('a flow of which nothing left has a loss and no delay', async () => {
  const flows = [queueFlow('flood', 9, 0, 10, null)];
  const record = writeRecord(
    join(folder, 'none-left'),
    { tcp: socket(9, 0) },
    { flood, queueLog: { records: 1, lostRecords: 0, traffic: [], flows } },
  );
  const values = await plugin.computeTogether!(record.others(), record);
  assert.deepEqual([values['flow-queue-delay-most'], values['flow-queue-loss-most']], [null, 1]);
});

test('without other applications, and in records that know no flows, there is nothing', async () => {
  const record = writeRecord(
    join(folder, 'old'),
    { tcp: socket(9, 3) },
    { flood, queueLog: { records: 1, lostRecords: 0, traffic: [] } },
  );
  assert.deepEqual(await plugin.computeTogether!([], record), none);
  const old = await plugin.computeTogether!(record.others(), record);
  assert.deepEqual(old, { ...none, 'flow-goodput-least': 3e6, 'flow-goodput-most': 3e6 });
});
