import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/tunnel/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, startMs, writeRecord } from '../../support/record.ts';
import { tunnelReport } from '../../support/tunnel.ts';

const folder = temporaryFolder();

test('growth over the window of the sending end, medians of its readings, and what both ends cost', async () => {
  const reports = every(200, startMs - 1000, endMs + 1000).flatMap((timeMs, i) => {
    const s = (timeMs - startMs) / 1000;
    return [
      tunnelReport(timeMs, {
        sentBytes: 1e6 + 250_000 * s,
        bytesIn: 1e6 + 200_000 * s,
        sentPackets: 1000 + 200 * s,
        lostPackets: 100 + 4 * s,
        packetsIn: 1000 + 180 * s,
        droppedPackets: 100 + 9 * s,
        spuriousCongestionEvents: s >= 5 ? 1 : 0,
        congestionWindowBytes: timeMs < startMs ? 1 : 20_000,
        rttMs: 30,
        deliveryBps: 1.9e6,
        queuedBytes: timeMs > startMs && i % 2 === 0 ? 4000 : 0,
        cpuMs: 100 + 15 * s,
      }),
      tunnelReport(timeMs, { end: 'client', sentBytes: 9e9 * s, cpuMs: 100 + 10 * s }),
    ];
  });
  const values = await plugin.compute(writeRecord(join(folder, 'a'), { tunnel: reports }));
  const near = (id: string, value: number) =>
    assert.ok(Math.abs(values[id]! - value) < 1e-6 * Math.max(1, value), `${id}: ${values[id]}, not ${value}`);
  near('tunnel-loss', 0.02);
  near('tunnel-rate', 2e6);
  near('tunnel-expansion', 1.25);
  near('tunnel-delivery', 1.9e6);
  near('tunnel-window', 20_000);
  near('tunnel-rtt', 30);
  near('tunnel-queue-p95', 4000);
  near('tunnel-drops', 0.05);
  near('tunnel-spurious-events', 1);
  near('tunnel-server-cpu', 0.015);
  near('tunnel-client-cpu', 0.01);
});

test('without a tunnel, or where the stack does not tell, there is no value', async () => {
  const none = await plugin.compute(writeRecord(join(folder, 'none'), {}));
  assert.deepEqual([...new Set(Object.values(none))], [null]);
  const reports = every(200, startMs, endMs).map(timeMs =>
    tunnelReport(timeMs, { deliveryBps: null, congestionWindowBytes: null, cpuMs: null, sentPackets: 0, bytesIn: 0 }),
  );
  const values = await plugin.compute(writeRecord(join(folder, 'b'), { tunnel: reports }));
  for (const id of ['tunnel-loss', 'tunnel-expansion', 'tunnel-delivery', 'tunnel-window', 'tunnel-server-cpu'])
    assert.equal(values[id], null, id);
});
