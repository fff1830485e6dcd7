import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/flow-estimate/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, flood, startMs, tcp, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
async function computed(name: string, series: Record<string, readonly object[]>) {
  const record = writeRecord(join(folder, name), series, { flood });
  const together = await plugin.computeTogether!(record.others(), record);
  assert.deepEqual(await plugin.compute(record.as('flood')), together, 'the only other application');
  return together;
}
const sample = (timeMs: number, maxBandwidthBps: number | null) => ({
  kind: 'sample',
  timeMs,
  port: 1,
  maxBandwidthBps,
});

test("BBRv3's by its telemetry: of the window alone, and not what it did not know yet", async () => {
  const bbr3 = [
    sample(startMs - 1, 9e9),
    sample(startMs, null),
    ...every(100, startMs, endMs).map((timeMs, i) => sample(timeMs, (i % 101) * 1e6)),
    { kind: 'event', timeMs: startMs, port: 1, maxBandwidthBps: 9e9 },
    sample(endMs + 1, 9e9),
  ];
  // 1 to 100 Mbit/s; 0 means no estimate
  assert.deepEqual(await computed('bbr3', { bbr3 }), { 'flow-estimate-p50': 50.5e6, 'flow-estimate-p99': 99.01e6 });
});

test("BBRv1's by the sockets of the sender", async () => {
  const socket = (end: 'sender' | 'receiver', timeMs: number, bandwidthBps: number) =>
    tcp(timeMs, end, 9, { bandwidthBps });
  const values = [
    socket('sender', startMs, 30e6),
    socket('sender', startMs + 1000, 40e6),
    socket('sender', endMs, 50e6),
    socket('receiver', startMs, 9e9),
    socket('sender', endMs + 1, 9e9),
  ];
  assert.equal((await computed('bbr', { tcp: values }))['flow-estimate-p50'], 40e6);
});

test('where nothing was told there is none', async () => {
  const none = { 'flow-estimate-p50': null, 'flow-estimate-p99': null };
  assert.deepEqual(await computed('cubic', { tcp: [tcp(startMs, 'sender', 9, { deliveryBps: 9e6 })] }), none);
  assert.deepEqual(await computed('nothing', {}), none);
});
