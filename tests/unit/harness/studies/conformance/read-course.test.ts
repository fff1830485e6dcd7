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
