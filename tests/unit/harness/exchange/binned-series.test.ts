import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type BinnedQuantity,
  binLengthMs,
  binnedQuantities,
  binnedSeries,
  binnedTable,
} from '../../../../harness/exchange/binned-series.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endMs, every, presentedAt, sender, startMs, stats, tcp, writeRecord } from '../support/record.ts';

const folder = temporaryFolder();

test('bins are as short as the room allows', () => {
  assert.equal(binLengthMs(15, 40_000, 500_000), 500);
  assert.equal(binLengthMs(1000, 40_000, 500_000), 1000);
  assert.equal(binLengthMs(1000, 600_000, 500_000), 30_000);
  assert.equal(binLengthMs(1e6, 600_000, 500_000), 300_000); // bins are never longer than 300 s
});

test("series go from the first frame, on the window's own bins, to its end", async () => {
  const seconds = every(1000, startMs - 4000, endMs);
  const elapsed = (time: number) => (time - startMs) / 1000 + 4;
  const record = writeRecord(join(folder, 'a'), {
    'frames.presented': presentedAt(every(20, startMs - 3000, endMs)),
    stats: seconds.map(time => stats(time, { bytesReceived: 125_000 * elapsed(time) })),
    tcp: [9, 10].flatMap(port =>
      seconds.map(time => tcp(time, 'receiver', port, { bytesReceived: 1e6 * elapsed(time) })),
    ),
    sender: seconds.map(time => sender(time, { targetBps: 2e6 })),
    ping: every(200, startMs, endMs - 200).map((timeMs, i) => ({ timeMs, sequence: i, rttMs: i < 10 ? null : 20 })),
    'queue-delay': every(100, startMs + 50, endMs).flatMap(timeMs => [
      { timeMs, application: 'service', protocol: 17, sentBytes: 9000, delayMedianMs: 7 },
      { timeMs, application: 'service', protocol: 6, sentBytes: 66, delayMedianMs: 99 },
    ]),
  });
  const { startS, binS, values } = (await binnedSeries(record, 1000))!;
  assert.deepEqual([startS, binS], [-3, 1]); // the first frame was at 7000 ms, the window begins at 10 000
  for (const id of binnedQuantities) assert.equal(values[id].length, 13, id);
  assert.deepEqual(values.framesPerSecond.slice(1, 13), Array(12).fill(50));
  assert.deepEqual(values.goodputBps, Array(13).fill(1e6));
  assert.deepEqual(values.othersGoodputBps, Array(13).fill(16e6)); // sum of both flows
  assert.deepEqual(values.targetBps, Array(13).fill(2e6));
  assert.deepEqual(values.rttMs, [null, null, null, null, null, ...Array(8).fill(20)]); // ten probes were lost
  assert.deepEqual(values.queueDelayMs, [null, null, null, ...Array(10).fill(7)]);
});

test('what is told once a second holds between, and nothing is known of a counter before its first reading', async () => {
  const seconds = every(1000, startMs - 20, endMs);
  const record = writeRecord(join(folder, 'e'), {
    sender: every(1000, startMs, startMs + 2000).map((time, i) => sender(time, { targetBps: (i + 1) * 1e6 })),
    tcp: seconds.map((time, i) => tcp(time, 'receiver', 9, { bytesReceived: 1e6 * i })),
  });
  const { values } = (await binnedSeries(record, 500))!;
  // a report is held for no longer than a second
  assert.deepEqual(values.targetBps.slice(6, 15), [1e6, 1e6, 2e6, 2e6, 3e6, 3e6, 3e6, null, null]);
  // the rate is known from the window on, since the first reading was 20 ms before the window
  assert.deepEqual(values.othersGoodputBps.slice(4, 9), [null, null, 8e6, 8e6, 8e6]);
});

test('what the congestion control says of itself, in the mean of each bin', async () => {
  const lines = every(250, startMs, startMs + 1999).map((timeMs, i) => ({
    timeMs,
    inFlightBytes: 1000 * i,
    estimateBps: 1e6 * (i + 1),
    pacingBps: 3e6,
    ackedBps: 5e5,
    state: 'x',
  }));
  const { values } = (await binnedSeries(writeRecord(join(folder, 'f'), { controller: lines }), 1000))!;
  const window = (id: BinnedQuantity) => values[id].slice(3, 7);
  assert.deepEqual(window('estimateBps'), [2.5e6, 6.5e6, 6.5e6, null]); // the estimate is held for a second
  assert.deepEqual(window('pacingBps'), [3e6, 3e6, 3e6, null]);
  assert.deepEqual(window('ackedBps'), [5e5, 5e5, 5e5, null]);
  assert.deepEqual(window('inFlightBytes'), [1500, 5500, 5500, null]);
});

test("a browser's congestion control tells its estimate", async () => {
  const caller = every(1000, startMs, endMs).map(timeMs => ({
    timeMs,
    outbound: null,
    candidatePair: { availableOutgoingBitrate: 4e6 },
    remoteInbound: null,
    cpuLimitedS: 0,
    mainThreadDelayMaxMs: 1,
    visible: true,
  }));
  const { values } = (await binnedSeries(writeRecord(join(folder, 'g'), { caller }), 1000))!;
  assert.deepEqual(values.estimateBps.slice(2, 5), [null, 4e6, 4e6]);
  assert.ok(values.pacingBps.every(value => value === null) && values.inFlightBytes.every(value => value === null));
});

test('what a trial does not have is null, and a trial without a window has nothing', async () => {
  const bare = (await binnedSeries(writeRecord(join(folder, 'b'), {}), 1000))!;
  assert.deepEqual(bare.values.othersGoodputBps, Array(13).fill(null));
  assert.deepEqual(bare.values.rttMs, Array(13).fill(null));
  assert.equal(await binnedSeries(writeRecord(join(folder, 'c'), {}, { phases: null }), 1000), null);
});

test('the table has a row for each bin of each trial that was measured', async () => {
  const binned = await binnedSeries(
    writeRecord(join(folder, 'd'), { 'frames.presented': presentedAt(every(20, startMs - 3000, endMs)) }),
    5000,
  );
  const table = binnedTable([
    { trial: '0001-a', condition: 'a', repeat: 1, binned },
    { trial: '0002-a.void1', condition: 'a', repeat: 1, binned: null },
  ]);
  const column = (name: string) => table.find(other => other.name === name)!.values;
  assert.deepEqual(column('trial'), Array(3).fill('0001-a'));
  assert.deepEqual(column('startS'), [-5, 0, 5]);
  assert.deepEqual(column('lengthS'), [5, 5, 5]);
  assert.deepEqual(column('framesPerSecond'), [30, 50, 50]);
  assert.deepEqual(column('othersGoodputBps'), [null, null, null]);
});
