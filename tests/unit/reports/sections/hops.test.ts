import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricsTable } from '../../../../harness/exchange/metrics-table.ts';
import { plugin as hopsSection } from '../../../../reports/sections/hops/index.ts';
import { definition, planOf } from '../../harness/support/plan.ts';
import { endMs, reading, startMs } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { parsePage } from '../support/run.ts';

const droppedPackets = { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 };
const quantiles = { meanMs: 6, p5Ms: 1, p50Ms: 5, p95Ms: 20, p99Ms: 30, maxMs: 40 };
const traffic = (p50Ms: number) => ({
  application: 'service',
  protocol: 17,
  latePackets: 0,
  sentPackets: 1000,
  sentBytes: 1e6,
  markedPackets: 0,
  droppedPackets,
  delay: { ...quantiles, p50Ms },
});
const bin = (delayMedianMs: number, hop?: number) => ({
  timeMs: startMs + 50,
  application: 'service',
  protocol: 17,
  sentPackets: 10,
  sentBytes: 10_000,
  markedPackets: 0,
  droppedPackets,
  delayMedianMs,
  delayMaxMs: delayMedianMs,
  ...(hop === undefined ? {} : { hop }),
});
const counters = (sentBytes: number, dropped: number) => {
  const { timeMs: _, ...rest } = reading(endMs, { sentBytes, droppedPackets: dropped });
  return rest;
};

test('each bottleneck has its own values, and a line over time', async () => {
  const up = { rate: '2mbit', queue: { limit: '20packets' } };
  const then = [{ rate: '8mbit', queue: { limit: '100packets' }, up }];
  const plan = planOf({
    conditions: { row: { flood: { id: 'none' }, link: { then } } },
    run: { window: '10s' },
  });
  const log = { records: 1, lostRecords: 0 };
  const { page, summary } = await renderSections([hopsSection], plan, [
    {
      change: {
        backend: 'emulator',
        further: [{ backend: 'tc', traces: null }],
        queueLog: { ...log, traffic: [traffic(5)], further: [{ ...log, traffic: [traffic(50)] }] },
        bottleneck: {
          before: reading(startMs, { further: [{ ...counters(0, 1), up: counters(0, 0) }] }),
          after: reading(endMs, {
            sentBytes: 10e6,
            droppedPackets: 0,
            further: [{ ...counters(5e6, 8), up: counters(1e6, 3) }],
          }),
        },
      },
      series: { 'queue-delay': [bin(5), bin(50, 2)] },
    },
  ]);
  const section = parsePage(page).querySelector('#hops')!;
  const rows = [...section.querySelectorAll('tbody tr')].map(row =>
    [...row.querySelectorAll('td')].map(cell => cell.textContent.trim()),
  );
  // 10 MB, 5 MB and 1 MB in 10 s, of 40, 8 and 2 Mbit/s
  assert.deepEqual(
    rows.map(([, ...cells]) => cells),
    [
      ['all', 'emulator', '20.0 %', '0', '0', '5.0 ms', '20.0 ms'],
      ['all', 'tc', '50.0 %', '7', '0', '50.0 ms', '20.0 ms'],
      ['all', 'tc', '40.0 %', '3', '\u2013', '\u2013', '\u2013'],
    ],
  );
  assert.match(rows[1]![0]!, /^8 Mbit\/s, FIFO 100 packets/);
  assert.match(section.textContent, /bottleneck 1.*bottleneck 2/s);
  const [condition] = summary.conditions;
  assert.equal(condition!.hops!['hop-2']!['queue-delay-median']!.value, 50);
  assert.equal(condition!.metrics['queue-delay-median']!.value, 5);
  assert.equal(condition!.hops!['hop-2-up']!['link-utilisation']!.value, 0.4);
  const table = metricsTable(summary, new Map());
  assert.deepEqual(
    table.filter(({ name }) => /^(hop-2\.)?queue-delay-median$/.test(name)).map(({ values }) => values),
    [[5], [50]],
  );
});

test('where the subject crosses only the second bottleneck, its values are those of that one', async () => {
  const plan = planOf({
    link: {
      ...definition.link,
      then: [{ rate: '8mbit', queue: { limit: '100packets' } }],
      server: { crosses: 'hop-2' },
      flooder: { crosses: 'hop-1' },
    },
    conditions: { row: {} },
    run: { window: '10s' },
  });
  const log = { records: 1, lostRecords: 0 };
  const readings = (sentBytes: number) => reading(endMs, { sentBytes, further: [counters(sentBytes / 2, 0)] });
  const { page, summary } = await renderSections([hopsSection], plan, [
    {
      change: {
        backend: 'tc',
        further: [{ backend: 'tc', traces: null }],
        queueLog: {
          ...log,
          traffic: [{ ...traffic(5), application: 'flood' }],
          further: [{ ...log, traffic: [traffic(50)] }],
        },
        bottleneck: { before: { ...readings(0), timeMs: startMs }, after: readings(10e6) },
      },
      series: { 'queue-delay': [{ ...bin(5), application: 'flood' }, bin(50, 2)] },
    },
  ]);
  const section = parsePage(page).querySelector('#hops')!;
  const rows = [...section.querySelectorAll('tbody tr')].map(row =>
    [...row.querySelectorAll('td')].map(cell => cell.textContent.trim()),
  );
  assert.deepEqual(
    rows.map(([, crossed, , used, , , median]) => [crossed, used, median]),
    [
      ['flood', '20.0 %', '\u2013'],
      ['service', '50.0 %', '50.0 ms'],
    ],
  );
  assert.doesNotMatch(section.textContent, /bottleneck 1/);
  const [condition] = summary.conditions;
  assert.equal(condition!.metrics['queue-delay-median']!.value, 50);
  assert.equal(condition!.metrics['link-utilisation']!.value, 0.2);
  assert.equal(condition!.others['flood']!['queue-delay-median']!.value, 5);
});

test('a run without further bottlenecks has no such section', async () => {
  const plan = planOf({ conditions: { alone: { flood: { id: 'none' } } }, run: { window: '10s' } });
  assert.equal((await renderSections([hopsSection], plan, [{}])).page, '');
});
