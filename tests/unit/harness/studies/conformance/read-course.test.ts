import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plainLink, plainPath } from '../../../../../core/vocabulary/link.ts';
import { measures } from '../../../../../harness/studies/conformance/analysis/measures.ts';
import { readCourse } from '../../../../../harness/studies/conformance/read-course.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, every, startMs, writeRecord } from '../../support/record.ts';
import { measured } from './support.ts';

const folder = temporaryFolder();
const droppedPackets = { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 };
/** Lines of an application that sends at a rate through a bottleneck for the whole window. */
const linesOf = (application: string, hop: number, bps: number, delayMedianMs: number) =>
  every(100, startMs + 50, endMs - 50).map(timeMs => ({
    timeMs,
    application,
    protocol: 17,
    sentPackets: 10,
    sentBytes: bps / 80,
    markedPackets: 0,
    droppedPackets,
    delayMedianMs,
    delayMaxMs: delayMedianMs,
    ...(hop === 1 ? {} : { hop }),
  }));

test('a flow has an entry at each bottleneck that it crosses, from the lines of that one', async () => {
  const { further: _, paths: __, ...hop } = plainLink(1.5e6, { unit: 'packets', value: 30 });
  const link = {
    ...plainLink(2e6, { unit: 'packets', value: 40 }),
    further: [hop],
    paths: { service: plainPath, flood: { ...plainPath, crosses: { from: 2, to: 2 } } },
  };
  const record = writeRecord(
    join(folder, 'row'),
    {
      'queue-delay': [
        ...linesOf('service', 1, 0.9e6, 10),
        ...linesOf('service', 2, 0.6e6, 50),
        ...linesOf('flood', 2, 0.6e6, 60),
      ],
    },
    { condition: { ...condition, link } },
  );
  const course = await readCourse(record, { media: { service: 1, flood: 1 }, demands: {} });
  assert.deepEqual(
    course.flows.map(({ name, hop: place, bits, delayMs }) => [name, place, bits[0], delayMs[0]]),
    [
      ['service', 1, 90_000, 10],
      ['service', 2, 60_000, 50],
      ['flood', 2, 60_000, 60],
    ],
  );
  assert.deepEqual(course.bottlenecks, [
    { hop: 1, direction: 'down', rateBps: 2e6, schedule: [] },
    { hop: 2, direction: 'down', rateBps: 1.5e6, schedule: [] },
  ]);
  // the service cannot use more than its half of the second bottleneck: 0.75 Mbit/s
  assert.deepEqual(
    ['least-share', 'queue-wait-p95'].map(id => measured(id, course)),
    [0.8, 60],
  );
  assert.ok(measures.every(measure => !('compute' in measure) || !Number.isNaN(measured(measure.id, course))));
});

const windowStartMs = 1000;

/** Record of a trial of 400 ms with one media flow that has these series. */
function recordWith(series: Readonly<Record<string, readonly object[]>>) {
  const window = { startMs: windowStartMs, endMs: windowStartMs + 400 };
  const phases = { windowStartMs: window.startMs, windowEndMs: window.endMs };
  return {
    file: { phases, condition: { applications: [{ name: 'media-1', direction: 'down' }] } },
    link: { up: null, paths: {} },
    read: async () => [],
    as: () => ({ window, read: async ({ id }: { id: string }) => series[id] ?? [] }),
  } as never;
}

const estimatesOf = async (series: Parameters<typeof recordWith>[0], media: Record<string, number>) =>
  (await readCourse(recordWith(series), { media, demands: {} })).flows[0]!.estimateBps;

test('a bin has the last estimate of the controller, or its target rate where it has none', async () => {
  const controller = [
    { timeMs: 990, targetBps: 1 },
    { timeMs: 1010, targetBps: 2, estimateBps: 3 },
    { timeMs: 1090, targetBps: 4, estimateBps: 5 },
    { timeMs: 1200, targetBps: 6 },
    { timeMs: 1250, inFlightBytes: 7 },
    { timeMs: 1400, targetBps: 8 },
  ];
  assert.deepEqual(await estimatesOf({ controller }, { 'media-1': 1 }), [5, null, 6, null]);
});

test('a sending browser has those of getStats, and other traffic has none', async () => {
  const caller = [
    { timeMs: 1150, candidatePair: null },
    { timeMs: 1350, candidatePair: { availableOutgoingBitrate: 9 } },
  ];
  assert.deepEqual(await estimatesOf({ caller }, { 'media-1': 1 }), [null, null, null, 9]);
  assert.deepEqual(await estimatesOf({ caller }, {}), []);
});
