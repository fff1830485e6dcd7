import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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
    assert.equal((await record.sender())[0]!.timeMs, 1100);
    // when the browser received a packet is on a clock of its own
    assert.deepEqual(await record.packets(), [
      { sentMs: 1100, feedbackMs: 1150, receivedMs: 5 },
      { sentMs: 2100, feedbackMs: null, receivedMs: null },
    ]);
    assert.deepEqual(await record.controller(), [{ timeMs: 1100, targetBps: 5 }]);
    assert.deepEqual(await record.probes(), [{ timeMs: 1100, probe: 1 }]);
    assert.deepEqual(await record.roundTrips(), [{ timeMs: 1100, rttMs: 20, from: 'report' }]);
    assert.deepEqual(await record.sentFrames(), [
      { frame: 1, captureMs: 1100, encodedMs: 1101, firstPacketMs: 1102, lastPacketMs: 1103 },
    ]);
    assert.deepEqual(await record.skippedFrames(), [{ frame: 2, captureMs: 1116, skipped: 'pacer', count: 1 }]);
  }
});

test("everything else is on the harness's clock already", async () => {
  const series = {
    'frames.presented': 'presentedFrames',
    stats: 'stats',
    page: 'page',
    ping: 'pings',
    queue: 'queue',
    host: 'host',
  } as const;
  const record = writeRecord(
    join(folder, 'harness'),
    Object.fromEntries(Object.keys(series).map(name => [name, [{ timeMs: 1000 }]])),
    { clocks },
  );
  for (const method of Object.values(series)) assert.deepEqual(await record[method](), [{ timeMs: 1000 }], method);
});

test('a series that was not written is empty; each is read once', async () => {
  const directory = join(folder, 'once');
  const record = writeRecord(directory, { ping: [{ timeMs: 1 }] });
  assert.deepEqual(await record.tcp(), []);
  await record.pings();
  rmSync(directory, { recursive: true });
  assert.deepEqual(await record.pings(), [{ timeMs: 1 }]);
});
