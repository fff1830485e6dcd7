import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../../../harness/definition/plan.ts';
import { plugin as applicationsSection } from '../../../../reports/sections/applications/index.ts';
import { definition, planOf, registries } from '../../harness/support/plan.ts';
import { endMs, every, startMs, tcp } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

const fates = { markedPackets: 0, droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 } };
const traffic = (application: string, protocol: number, mbps: number) => ({
  application,
  protocol,
  latePackets: 0,
  sentPackets: 1000,
  sentBytes: mbps * 1.25e6,
  delay: null,
  ...fates,
});

const applications = {
  service: { service: { id: 'clip' } },
  flood: { service: { id: 'tcp' } },
  late: { service: { id: 'tcp' }, start: '5s' },
} as const;
const { service: _, flood: __, ...rest } = definition;
const plan = makePlan(
  'study',
  { ...rest, applications, conditions: { crowd: { title: 'Crowd' } }, run: { window: '10s' } },
  registries,
);

test('each application has a row of its own, and the shares are drawn', async () => {
  const bins = ['service', 'flood', 'late'].flatMap(application =>
    every(100, startMs + 50, endMs).map(timeMs => ({
      timeMs,
      application,
      protocol: 6,
      sentPackets: 1,
      sentBytes: 12_500,
      ...fates,
      delayMedianMs: 1,
      delayMaxMs: 1,
    })),
  );
  const sockets = every(1000, startMs, endMs).map(time =>
    tcp(time, 'receiver', 9, { bytesReceived: (4_000_000 * (time - startMs)) / 1000 }),
  );
  const queueLog = {
    records: 3,
    lostRecords: 0,
    traffic: [traffic('service', 17, 2), traffic('flood', 6, 30), traffic('late', 6, 4)],
    stops: [{ count: 1, longestMs: 12, sumMs: 12 }],
  };
  const { page, summary } = await renderSections([applicationsSection], plan, [
    {
      change: { queueLog },
      series: { tcp: sockets, 'queue-delay': bins, 'link-stops': [{ timeMs: 14_000, lengthMs: 12 }] },
    },
  ]);
  const section = parsePage(page).querySelector('#applications')!;
  const rows = [...section.querySelectorAll('tbody tr')].map(row =>
    [...row.querySelectorAll('th:not([rowspan]), td')].map(cell => cell.textContent.trim()),
  );
  assert.deepEqual(
    rows.map(row => row.slice(0, 7)),
    [
      ['service', 'the clip', 'left', 'whole window', '1.00 Mbit/s', '2.00 Mbit/s', '5.6 %'],
      ['flood', 'the tcp', 'left', 'whole window', '32.00 Mbit/s', '30.00 Mbit/s', '83.3 %'],
      ['late', 'the tcp', 'left', '5 s to end', '\u2013', '8.00 Mbit/s', '11.1 %'],
    ],
  );
  assert.equal(section.querySelectorAll('svg').length, 1);
  const bands = [...section.querySelectorAll('svg g[aria-label="rect"] rect')];
  assert.deepEqual(
    bands.map(band => band.textContent),
    ['the link stood still for 12 ms'],
  );
  assert.match(section.textContent.replace(/\s+/g, ' '), /Grey bands: the link stood still .*: once, for 12 ms\./);
  const { others } = summary.conditions[0]!;
  assert.deepEqual(Object.keys(others), ['flood', 'late']);
  assert.equal(others['flood']!['jain-index'], undefined, 'what is of all together is not of one application');
  assert.equal(summary.conditions[0]!.metrics['jain-index-applications']!.value, 36 ** 2 / (3 * (4 + 900 + 16)));
});

test('a stream and one flood have no such section', async () => {
  const { page } = await renderSections(
    [applicationsSection],
    planOf({ conditions: { wired: conditions.wired }, run: { window: '10s' } }),
    [{}],
  );
  assert.equal(parsePage(page).querySelector('#applications'), null);
});
