import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSeries } from '../../../../harness/record/load-series.ts';
import { controllerSeries } from '../../../../harness/record/series/controller.ts';
import { packetSeries } from '../../../../harness/record/series/packets.ts';
import { pingSeries } from '../../../../harness/record/series/ping.ts';
import { probeSeries } from '../../../../harness/record/series/probes.ts';
import { roundTripSeries } from '../../../../harness/record/series/rtt.ts';
import { senderSeries } from '../../../../harness/record/series/sender.ts';
import { tcpSeries } from '../../../../harness/record/series/tcp.ts';
import { TrialRecord } from '../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../support/folder.ts';
import { sender, trialFile, writeRecord } from '../support/record.ts';

const folder = temporaryFolder();
const clocks = { server: { offsetMs: 100, uncertaintyMs: 0 }, page: { offsetMs: 7, uncertaintyMs: 0 } };

test('the window is the measured part', () => {
  const record = new TrialRecord(trialFile(), folder);
  assert.deepEqual([record.window, record.windowS], [{ startMs: 10_000, endMs: 20_000 }, 10]);
  const file = trialFile();
  const own = file.applications[0]!;
  const brief = (times: Partial<typeof own>) =>
    new TrialRecord(
      {
        ...file,
        condition: {
          ...file.condition,
          applications: file.condition.applications.map(one => ({ ...one, stopMs: 5000 })),
        },
        applications: [{ ...own, ...times }],
      },
      folder,
    ).window.endMs;
  assert.deepEqual(
    [brief({ stopMs: 15_003 }), brief({ readMs: 14_800, stopMs: 15_003 })],
    [15_003, 14_800],
    'it reaches as far as its series',
  );
  assert.throws(
    () => new TrialRecord(trialFile({ phases: null }), folder).window,
    /0002-wired was not completed: it has no window/,
  );
});

test('the time in which the sender paused is no time of use', () => {
  const file = trialFile();
  const pauses = [
    { startMs: 9000, endMs: 11_000 },
    { startMs: 15_000, endMs: 16_500 },
    { startMs: 19_000, endMs: null },
  ];
  const record = new TrialRecord({ ...file, applications: [{ ...file.applications[0]!, pauses }] }, folder);
  assert.deepEqual(record.pauses, [
    { startMs: 10_000, endMs: 11_000 },
    { startMs: 15_000, endMs: 16_500 },
    { startMs: 19_000, endMs: 20_000 },
  ]);
  assert.equal(record.windowS, 10 - 1 - 1.5 - 1);
});

test("what the media server told is moved onto the harness's clock, once", async () => {
  const record = writeRecord(
    join(folder, 'server'),
    {
      sender: [sender(1000)],
      packets: [
        { sentMs: 1000, feedbackMs: 1050, receivedMs: 5 },
        { sentMs: 2000, feedbackMs: null, receivedMs: null },
      ],
      controller: [{ timeMs: 1000, targetBps: 5 }],
      probes: [{ timeMs: 1000, probe: 1 }],
      rtt: [{ timeMs: 1000, rttMs: 20, from: 'report' }],
      'frames.sent': [
        { frame: 1, captureMs: 1000, encodedMs: 1001, firstPacketMs: 1002, lastPacketMs: 1003 },
        { frame: 2, captureMs: 1016, skipped: 'pacer', count: 1 },
      ],
    },
    { clocks },
  );
  for (let time = 0; time < 2; time++) {
    assert.equal((await record.read(senderSeries))[0]!.timeMs, 1100);
    // times of reception are on the browser's clock
    assert.deepEqual(await record.read(packetSeries), [
      { sentMs: 1100, feedbackMs: 1150, receivedMs: 5 },
      { sentMs: 2100, feedbackMs: null, receivedMs: null },
    ]);
    assert.deepEqual(await record.read(controllerSeries), [{ timeMs: 1100, targetBps: 5 }]);
    assert.deepEqual(await record.read(probeSeries), [{ timeMs: 1100, probe: 1 }]);
    assert.deepEqual(await record.read(roundTripSeries), [{ timeMs: 1100, rttMs: 20, from: 'report' }]);
    assert.deepEqual(await record.sentFrames(), [
      { frame: 1, captureMs: 1100, encodedMs: 1101, firstPacketMs: 1102, lastPacketMs: 1103 },
    ]);
    assert.deepEqual(await record.skippedFrames(), [{ frame: 2, captureMs: 1116, skipped: 'pacer', count: 1 }]);
  }
});

test("everything else is on the harness's clock already", async () => {
  const own = [...(await loadSeries()).values()].filter(({ serverTimes }) => serverTimes.length === 0);
  assert.ok(own.length > 10);
  const record = writeRecord(
    join(folder, 'harness'),
    Object.fromEntries(own.map(({ id }) => [id, [{ timeMs: 1000 }]])),
    { clocks },
  );
  for (const series of own) {
    const of = ['tcp', 'bbr3'].includes(series.id) ? record.as('flood') : record;
    assert.deepEqual(await of.read(series), [{ timeMs: 1000 }], series.id);
  }
});

test('a series that was not written is empty; each is read once', async () => {
  const directory = join(folder, 'once');
  const record = writeRecord(directory, { ping: [{ timeMs: 1 }] });
  assert.deepEqual(await record.read(tcpSeries), []);
  await record.read(pingSeries);
  rmSync(directory, { recursive: true });
  assert.deepEqual(await record.read(pingSeries), [{ timeMs: 1 }]);
});
