import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { EcnCounts } from '../../../../../core/vocabulary/ecn.ts';
import { plugin } from '../../../../../harness/analysis/metrics/ecn-marks/index.ts';
import { compute } from '../../../../../harness/analysis/summary/compute.ts';
import type { CallerRecord } from '../../../../../harness/record/series/caller.ts';
import type { QueueLogReading } from '../../../../../harness/record/trial-file.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, sender, startMs, stats, writeRecord } from '../../support/record.ts';

const base = temporaryFolder();
let folders = 0;
const folder = () => join(base, String(++folders));
const counts = (notEct: number, ect1: number, ect0: number, ce: number): EcnCounts => ({
  'not-ect': notEct,
  ect1,
  ect0,
  ce,
});
const log = (more: Partial<QueueLogReading>): QueueLogReading => ({ records: 0, lostRecords: 0, traffic: [], ...more });
const own = { application: 'service', protocol: 17, dscps: [] };
const each = { markedPackets: 0, droppedPackets: 0 };

test('marks of the media at the bottleneck, and the delays of both classes in its direction', async () => {
  const record = writeRecord(
    folder(),
    {},
    {
      queueLog: log({
        marks: [
          { ...own, protocol: 6, camePackets: counts(9, 0, 9, 9), leftPackets: counts(9, 0, 9, 9) },
          { ...own, direction: 'up', camePackets: counts(9, 9, 0, 0), leftPackets: counts(9, 0, 0, 9) },
          { ...own, camePackets: counts(20, 70, 0, 10), leftPackets: counts(20, 40, 0, 40) },
        ],
        classes: [
          { class: 'l4s', direction: 'up', sentPackets: 9, delayMedianMs: 9, delayP99Ms: 9, ...each },
          { class: 'l4s', sentPackets: 80, delayMedianMs: 0.4, delayP99Ms: 1.2, ...each },
          { class: 'classic', sentPackets: 20, delayMedianMs: 15, delayP99Ms: 40, ...each },
        ],
      }),
    },
  );
  assert.deepEqual(await compute(plugin, record), {
    'ecn-capable-share': 0.8,
    'marked-share': 0.5,
    'reported-marked-share': null,
    'received-marked-share': null,
    'bleached-marks': null,
    'l4s-queue-delay-median': 0.4,
    'l4s-queue-delay-p99': 1.2,
    'classic-queue-delay-p99': 40,
  });
});

test('feedback and getStats count from the start of the window to its end', async () => {
  const record = writeRecord(
    folder(),
    {
      sender: [
        sender(startMs, { reportedEcn: counts(5, 100, 0, 50) }),
        sender(endMs, { reportedEcn: counts(8, 400, 0, 150) }),
      ],
      stats: [
        stats(startMs, { packetsReceivedWithEct1: 100, packetsReceivedWithCe: 0 }),
        stats(endMs, { packetsReceivedWithEct1: 400, packetsReceivedWithCe: 75 }),
      ],
    },
    { queueLog: log({ marks: [{ ...own, camePackets: counts(0, 9, 0, 0), leftPackets: counts(0, 9, 0, 0) }] }) },
  );
  const values = await plugin.compute(record);
  assert.equal(values['reported-marked-share'], 0.25);
  assert.equal(values['received-marked-share'], 0.2);
  assert.equal(values['bleached-marks'], 3);
});

test('a browser that sends knows marks and bleached packets from its own statistics', async () => {
  const caller = (timeMs: number, packetsReceivedWithEct1: number, packetsReceivedWithCe: number): CallerRecord => ({
    timeMs,
    outbound: null,
    candidatePair: null,
    remoteInbound: { packetsReceivedWithEct1, packetsReceivedWithCe, packetsWithBleachedEct1Marking: 2 },
    cpuLimitedS: 0,
    mainThreadDelayMaxMs: 1,
    visible: true,
  });
  const record = writeRecord(
    folder(),
    { caller: [caller(startMs, 0, 0), caller(endMs, 90, 10)] },
    { queueLog: log({ marks: [{ ...own, camePackets: counts(0, 9, 0, 0), leftPackets: counts(0, 9, 0, 0) }] }) },
  );
  const values = await plugin.compute(record);
  assert.equal(values['reported-marked-share'], 0.1);
  assert.equal(values['bleached-marks'], 0);
});

test('traffic without ECN has no share of marks, and nothing that could be bleached', async () => {
  const record = writeRecord(
    folder(),
    {
      sender: [
        sender(startMs, { reportedEcn: counts(0, 0, 0, 0) }),
        sender(endMs, { reportedEcn: counts(90, 0, 0, 0) }),
      ],
    },
    { queueLog: log({ marks: [{ ...own, camePackets: counts(9, 0, 0, 0), leftPackets: counts(9, 0, 0, 0) }] }) },
  );
  const values = await plugin.compute(record);
  assert.equal(values['ecn-capable-share'], 0);
  for (const name of ['marked-share', 'reported-marked-share', 'bleached-marks'])
    assert.equal(values[name], null, name);
});
