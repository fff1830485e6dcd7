import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkDefinition } from '../../../../harness/definition/link.ts';
import { plugin as goodputSeriesSection } from '../../../../reports/sections/goodput-series/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { startMs } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { chartsOf } from '../support/run.ts';

/** Upper end of the axis, Mbit/s. Undefined if the lines alone determine it. */
async function topOf(link: LinkDefinition): Promise<number | undefined> {
  const { page } = await renderSections(
    [goodputSeriesSection],
    planOf({ link: { rate: '10mbit', queue: { limit: '1000packets' }, ...link }, run: { window: '10s' } }),
    [{}],
  );
  return chartsOf(page).find(({ title }) => title.startsWith('Goodput'))!.y.max;
}

test('the axis goes up to the rate of the link, the highest that its schedule has in the window', async () => {
  assert.equal(await topOf({}), 10);
  assert.equal(
    await topOf({
      schedule: [
        { at: '3s', rate: '60mbit' },
        { at: '5s', rate: '20mbit' },
        { at: '20s', rate: '90mbit' },
      ],
    }),
    60,
  );
  // half of the ramp lies in the window
  assert.equal(await topOf({ schedule: [{ at: '5s', rate: '30mbit', ramp: '10s' }] }), 20);
});

test('a trace has no rate to draw', async () => {
  assert.equal(await topOf({ trace: 'cell.trace' }), undefined);
});

/** Packets of the media, one every 100 ms: four of ten with ECT(1), of which the queue marks every second one. */
const marked = Array.from({ length: 100 }, (_, i) => i);
const mediaQueue = {
  timeMs: startMs,
  payloadTypes: marked.map(() => 96),
  sequences: marked,
  offeredMs: marked.map(i => 100 * i),
  sojournMs: marked.map(i => (i === 12 ? null : 5)),
  queuePackets: marked.map(() => 0),
  dropped: [{ index: 11, reason: 'aqm' }],
  ecn: marked.map(i => (i % 10 < 4 ? 1 : 0)),
  marked: marked.filter(i => i % 10 === 0 || i % 10 === 2),
};
const queueDelay = (application: string, protocol: number, delayMedianMs: number) => ({
  timeMs: startMs + 50,
  application,
  protocol,
  sentPackets: 10,
  sentBytes: 10_000,
  markedPackets: 0,
  droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 },
  delayMedianMs,
  delayMaxMs: delayMedianMs,
});

async function chartsWith(series: Record<string, readonly object[]>) {
  const { page } = await renderSections([goodputSeriesSection], planOf({ run: { window: '10s' } }), [{ series }]);
  return { page, charts: chartsOf(page) };
}

test('where packets have ECN, their fields and both queue delays are below the goodput', async () => {
  const { page, charts } = await chartsWith({
    'queue.media': [mediaQueue],
    'queue-delay': [queueDelay('service', 17, 1), queueDelay('flood', 6, 20)],
  });
  assert.deepEqual(
    charts.map(({ title }) => title.split(',')[0]),
    ['Goodput of stream and flood over time', 'ECN fields of the media over time', 'Queue delay over time'],
  );
  const values = ({ lines }: (typeof charts)[number]) =>
    Object.fromEntries(lines.map(line => [line.label, line.values.slice(0, 3)]));
  // in the second 1 a packet with ECT(1) is dropped, and one that would have been marked never leaves
  assert.deepEqual(values(charts[1]!), { 'Not-ECT': [6, 6, 6], 'ECT(1)': [2, 1, 2], CE: [2, 1, 2] });
  assert.deepEqual(values(charts[2]!), { media: [1, null, null], flood: [20, null, null] });
  assert.match(page, /by ECN field/);
});

test('without ECN there is the goodput alone', async () => {
  for (const series of [{}, { 'queue.media': [{ ...mediaQueue, ecn: marked.map(() => 0), marked: [] }] }]) {
    const { page, charts } = await chartsWith(series);
    assert.equal(charts.length, 1);
    assert.doesNotMatch(page, /by ECN field/);
  }
});
