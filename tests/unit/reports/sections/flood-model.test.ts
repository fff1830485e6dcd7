import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { TrialView } from '../../../../harness/analysis/derive/trial-view.ts';
import type { ReportData } from '../../../../reports/report.ts';
import { plugin } from '../../../../reports/sections/flood-model/index.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { condition, endMs, every, startMs, writeRecord } from '../../harness/support/record.ts';
import { facts } from '../support/facts.ts';
import { chartsOf, type Made } from '../support/run.ts';
import { stopped } from '../support/stopped.ts';

const folder = temporaryFolder();
const samples = every(100, startMs, endMs).flatMap(timeMs =>
  [1, 2].map(port => ({
    kind: 'sample',
    timeMs,
    port,
    state: 'cruise',
    maxBandwidthBps: 20e6,
    pacingBps: 19.8e6,
    inFlightPackets: 70,
    congestionWindowPackets: 140,
    minRttMs: 40,
    rttMs: 44,
  })),
);

function report(name: string, bbr3: object[], { series, change }: Made = {}): ReportData {
  const flow = (port: number) => ({
    port,
    congestionControl: 'bbr3',
    startMs,
    retransmittedBytes: 0,
    sentBytes: 1,
    receivedBytes: 1,
  });
  const record = writeRecord(
    join(folder, name),
    { bbr3, ...series },
    {
      ...change,
      flood: { label: 'BBRv3 (draft-ietf-ccwg-bbr)', evidence: 'its own account', flows: [flow(1), flow(2)] },
    },
  );
  return {
    plan: { conditions: [condition] },
    records: new Map([['wired', [new TrialView(record)]]]),
    disturbed: new Map(),
    summary: {
      conditions: [{ id: 'wired', title: 'Wired', trials: 1, disturbed: null }],
      trials: [{ condition: 'wired', flood: 'BBRv3 (draft-ietf-ccwg-bbr)' }],
    },
    ...facts,
  } as unknown as ReportData;
}

test('volumes and rates are sums over the flows, times their mean', async () => {
  const page = (await plugin.render(report('two', samples)))!.text;
  const charts = chartsOf(page);
  assert.deepEqual(
    charts.map(chart => chart.title),
    ['Bandwidth and pacing, Wired', 'In flight and congestion window, Wired', 'Round-trip time, Wired'],
  );
  const values = Object.fromEntries(charts.flatMap(chart => chart.lines.map(line => [line.label, line.values[3]])));
  assert.deepEqual(values, {
    'estimated bandwidth': 40,
    'pacing rate': 39.6,
    'in flight': 140,
    window: 280,
    min_rtt: 40,
    'last sample': 44,
  });
  assert.match(page, /Time in each state: startup 0 %, drain 0 %, down 0 %, cruise 100 %/);
  assert.match(page, /BBRv3 \(draft-ietf-ccwg-bbr\)/);
});

test('where the link stood still there are bands', async () => {
  const page = (await plugin.render(report('stopped', samples, stopped(12))))!.text;
  assert.deepEqual(
    chartsOf(page).map(({ stops }) => stops?.map(({ label }) => label)),
    Array(3).fill(['the link stood still for 12 ms']),
  );
  assert.match(page, /Grey bands: the link stood still/);
});

test('without telemetry there is no such section', async () => {
  assert.equal(await plugin.render(report('none', [])), null);
});
