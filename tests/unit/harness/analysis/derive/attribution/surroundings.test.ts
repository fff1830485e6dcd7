import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plainLink, plainPath } from '../../../../../../core/vocabulary/link.ts';
import { Surroundings } from '../../../../../../harness/analysis/derive/attribution/surroundings.ts';
import { TrialRecord } from '../../../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { condition, endMs, every, sender, startMs, writeRecord } from '../../../support/record.ts';

const folder = temporaryFolder();
const bin = (timeMs: number, sentBytes: number, of = 'server') => ({
  sender: of,
  source: of,
  protocol: 17,
  timeMs,
  sentPackets: 1,
  sentBytes,
  markedPackets: 0,
  droppedPackets: {},
  delayMedianMs: null,
  delayMaxMs: null,
});

test("each part's worst delay in the readings that tell of that time", async () => {
  const at = (value: number, timeMs: number) => ({ timeMs, mainThreadDelayMaxMs: value, visible: true });
  const record = writeRecord(join(folder, 'delays'), {
    sender: [11_000, 12_000, 13_000, 14_000].map((timeMs, i) =>
      sender(timeMs, { eventLoopDelayMaxMs: [1, 300, 2, 400][i]! }),
    ),
    page: [at(5, 11_500), at(250, 12_500), at(6, 13_500)],
    host: [{ timeMs: 12_000, wakeUpDelayMaxMs: 70 }],
  });
  const around = await Surroundings.of(record);
  assert.deepEqual(
    [around.senderDelayMs(11_200, 11_500), around.senderDelayMs(12_300, 12_500), around.senderDelayMs(12_100, 12_950)],
    [300, 2, 400],
  ); // the last reading may come late
  assert.deepEqual([around.pageDelayMs(11_600, 12_000), around.pageDelayMs(14_000, 14_500)], [250, 0]);
  assert.deepEqual([around.machineDelayMs(11_500, 11_800), around.machineDelayMs(9000, 9500)], [70, 0]);
});

test('a delay counts as far as it can have lain in that time', async () => {
  const record = writeRecord(join(folder, 'elsewhere'), {
    page: [11_000, 12_000, 13_000].map((timeMs, i) => ({
      timeMs,
      mainThreadDelayMaxMs: [0, 300, 0][i]!,
      visible: true,
    })),
  });
  const around = await Surroundings.of(record);
  assert.equal(around.pageDelayMs(11_500, 12_500), 300);
  assert.equal(around.pageDelayMs(11_980, 12_400), 20); // the delay ended by 12 s
  assert.equal(around.pageDelayMs(10_500, 10_950), 300); // the delay may have ended a little before the reading at 11 s
  assert.equal(around.pageDelayMs(10_200, 10_700), 100); // in that case the delay began at 10.6 s
});

test('what the bottleneck carried, of all senders, inside the window', async () => {
  const record = writeRecord(
    join(folder, 'carried'),
    {
      'queue-delay': [
        ...every(100, startMs + 50, endMs - 50).flatMap(timeMs => [
          bin(timeMs, timeMs < 15_000 ? 100_000 : 0),
          bin(timeMs, 25_000, 'other'),
        ]),
      ],
    },
    { condition: { ...condition, link: plainLink(20e6, { unit: 'packets', value: 100 }) } },
  );
  const around = await Surroundings.of(record);
  assert.deepEqual(around.carried(11_000, 11_300, 11_000), { bps: 10e6, scheduledBps: 20e6, ratio: 0.5 });
  assert.deepEqual(around.carried(14_950, 15_050, 14_950), { bps: 6e6, scheduledBps: 20e6, ratio: 0.3 });
  assert.deepEqual(around.carried(9000, 10_100, 9000), { bps: 10e6, scheduledBps: 20e6, ratio: 0.5 });
  assert.deepEqual([around.carried(11_000, 11_020, 11_000), around.carried(9000, 9900, 9000)], [null, null]);
});

test('a link with a schedule is measured by the highest rate that it was meant to have since a moment', async () => {
  const record = writeRecord(
    join(folder, 'schedule'),
    { 'queue-delay': every(100, startMs + 50, endMs - 50).map(timeMs => bin(timeMs, 125_000)) },
    {
      condition: {
        ...condition,
        link: {
          ...plainLink(40e6, { unit: 'packets', value: 100 }),
          schedule: [{ atMs: 2000, rateBps: 10e6, rampMs: 0 }],
        },
      },
    },
  );
  const around = await Surroundings.of(record);
  assert.deepEqual(around.carried(startMs + 3000, startMs + 3500, startMs + 2500), {
    bps: 10e6,
    scheduledBps: 10e6,
    ratio: 1,
  });
  assert.deepEqual(around.carried(startMs + 3000, startMs + 3500, startMs + 1500), {
    bps: 10e6,
    scheduledBps: 10e6,
    ratio: 0.25,
  });
});

test('a link that follows a trace is measured by the most that it carried', async () => {
  const bins = [bin(11_050, 100_000), bin(11_050, 25_000, 'other'), bin(11_150, 50_000)];
  const around = await Surroundings.of(
    writeRecord(
      join(folder, 'trace'),
      { 'queue-delay': bins },
      {
        condition: { ...condition, link: { ...plainLink(99e6, { unit: 'packets', value: 100 }), trace: 'down.trace' } },
      },
    ),
  );
  assert.deepEqual(around.carried(11_100, 11_200, 11_100), { bps: 4e6, scheduledBps: null, ratio: 0.4 });
});

test('the round trip that reports measured last', async () => {
  const around = await Surroundings.of(
    writeRecord(join(folder, 'rtt'), {
      rtt: [
        { timeMs: 11_000, rttMs: 20, from: 'report' },
        { timeMs: 12_000, rttMs: 90, from: 'feedback' },
        { timeMs: 13_000, rttMs: 30, from: 'report' },
      ],
    }),
  );
  assert.deepEqual(
    [around.roundTripMs(10_000), around.roundTripMs(12_500), around.roundTripMs(13_000)],
    [null, 20, 30],
  );
});

test('how long the link stood still between two moments, in the direction of the application', async () => {
  const record = writeRecord(join(folder, 'stops'), {
    'link-stops': [
      { timeMs: 11_000, lengthMs: 40 },
      { timeMs: 11_100, lengthMs: 10 },
      { direction: 'up', timeMs: 11_000, lengthMs: 300 },
    ],
  });
  const around = await Surroundings.of(record);
  assert.deepEqual(
    [around.linkStoppedMs(11_020, 11_200), around.linkStoppedMs(10_000, 11_000), around.linkStoppedMs(0, 20_000)],
    [30, 0, 50],
  );
});

test('what an application sends to the servers is compared with the rate of that direction', async () => {
  const link = plainLink(20e6, { unit: 'packets', value: 100 });
  const [own] = condition.applications;
  const record = writeRecord(
    join(folder, 'up'),
    {
      'queue-delay': every(100, startMs + 50, endMs - 50).flatMap(timeMs => [
        { ...bin(timeMs, 12_500), direction: 'up' },
        bin(timeMs, 250_000),
      ]),
    },
    {
      condition: {
        ...condition,
        link: { ...link, up: { ...link, rateBps: 1e6 } },
        applications: [{ ...own!, direction: 'up' }, ...condition.applications.slice(1)],
      },
    },
  );
  const around = await Surroundings.of(record);
  assert.deepEqual(around.carried(11_000, 12_000, 11_000), { bps: 1e6, scheduledBps: 1e6, ratio: 1 });
  assert.equal(around.bottleneck(), 'the link');
});

test('each bottleneck of a row is compared with its own rate; stops of all of them count', async () => {
  const limit = { unit: 'packets', value: 100 } as const;
  const first = plainLink(40e6, limit);
  const record = writeRecord(
    join(folder, 'row'),
    {
      'queue-delay': every(100, startMs + 50, endMs - 50).flatMap(timeMs => [
        bin(timeMs, 62_500),
        { ...bin(timeMs, 62_500), hop: 2 },
      ]),
      'link-stops': [
        { timeMs: 11_000, lengthMs: 40 },
        { hop: 2, timeMs: 12_000, lengthMs: 30 },
      ],
    },
    { condition: { ...condition, link: { ...first, further: [{ ...plainLink(5e6, limit), up: null }] } } },
  );
  const around = await Surroundings.of(record);
  const at = (hop?: number) => around.carried(11_000, 12_000, 11_000, hop);
  assert.deepEqual(at(), { bps: 5e6, scheduledBps: 40e6, ratio: 1 / 8 });
  assert.deepEqual(at(2), { bps: 5e6, scheduledBps: 5e6, ratio: 1 });
  assert.deepEqual([around.bottleneck(), around.bottleneck(2)], ['bottleneck 1', 'bottleneck 2']);
  assert.equal(around.linkStoppedMs(10_000, 13_000), 70);
  const { file } = record;
  const { link } = file.condition;
  const paths = { ...link.paths, service: { ...plainPath, crosses: { from: 2, to: 2 } } };
  const onSecond = new TrialRecord(
    { ...file, condition: { ...file.condition, link: { ...link, paths } } },
    join(folder, 'row'),
  );
  const behind = await Surroundings.of(onSecond);
  assert.deepEqual(
    [behind.carried(11_000, 12_000, 11_000), behind.carried(11_000, 12_000, 11_000, 2)!.ratio, behind.bottleneck(2)],
    [null, 1, 'bottleneck 2'],
    'an application has only the bottlenecks that it crosses',
  );
  assert.equal(behind.linkStoppedMs(10_000, 13_000), 30);
});
