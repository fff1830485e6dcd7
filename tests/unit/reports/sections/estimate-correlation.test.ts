import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportData } from '../../../../reports/report.ts';
import { plugin } from '../../../../reports/sections/estimate-correlation/index.ts';
import { application, condition } from '../../harness/support/record.ts';
import { facts } from '../support/facts.ts';

const conditionOf = (id: string, title: string, changed: object = {}, of = id) => ({
  ...condition,
  id,
  applications: [application('service', 'video-call', 'live-clip', { controller: { id: of, title, changed } })],
});

/** Report on trials with estimate and bitrate in kbit/s, by condition. */
function report(
  trials: readonly (readonly [string, number | null, number])[],
  { reference = null }: { reference?: object | null } = {},
): ReportData {
  const metrics = (estimate: number | null, bitrate: number) => ({
    'estimate-mean': estimate === null ? null : estimate * 1e3,
    goodput: bitrate * 1e3,
    'min-rtt-estimate': estimate === null ? null : estimate / 10,
  });
  return {
    plan: {
      conditions: [
        conditionOf('gcc', 'GCC'),
        conditionOf('bbr', 'WebRTC-BBR'),
        conditionOf('off', 'WebRTC-BBR', { recovery: 'off' }, 'bbr'),
      ],
      run: { windowMs: 10e3 },
      definition: {},
    },
    reference,
    records: new Map(),
    disturbed: new Map(),
    summary: {
      conditions: [{ trials: 1, disturbed: null }],
      trials: trials.map(([id, estimate, bitrate]) => ({ condition: id, metrics: metrics(estimate, bitrate) })),
    },
    ...facts,
  } as unknown as ReportData;
}

const gcc = [
  ['gcc', 800, 800],
  ['gcc', 1000, 1000],
  ['gcc', 1200, 1200],
  ['gcc', 500, 300],
  ['gcc', 300, 500],
] as const;

test('a row for each controller with enough trials, good and bad ones apart', async () => {
  const page = (await plugin.render(report([...gcc, ['bbr', 1, 2], ['bbr', 2, 3], ['bbr', 3, 4], ['bbr', null, 5]])))!
    .text;
  assert.match(
    page,
    /<th scope="row">GCC<\/th><td>0\.76 Mbit\/s<\/td><td>0\.76 Mbit\/s<\/td><td>76\.0 ms<\/td><td>0\.9\d<\/td><td>1\.00<\/td><td>-1\.00<\/td><td>5<\/td>/,
  );
  assert.doesNotMatch(page, /WebRTC-BBR/);
});

test('what a paper prints stands beside it', async () => {
  const reference = { title: 'Paper, Table II', values: {}, correlations: { gcc: '0.87, 0.94, -0.18' } };
  const page = (await plugin.render(report(gcc, { reference })))!.text;
  assert.match(page, /<th scope="col">Paper, Table II<\/th>/);
  assert.match(page, /<td>5<\/td><td class="paper">0\.87, 0\.94, -0\.18<\/td>/);
});

test('a controller with other parameters is another sender, of which the paper prints nothing', async () => {
  const bbr = [
    ['bbr', 800, 700],
    ['bbr', 900, 900],
    ['bbr', 1000, 1100],
    ['bbr', 1100, 1200],
  ] as const;
  const off = bbr.map(([, estimate, bitrate]) => ['off', estimate, 2000 - bitrate] as const);
  const reference = { title: 'Paper, Table II', values: {}, correlations: { bbr: '-0.24, 0.59, -0.59' } };
  const page = (await plugin.render(report([...bbr, ...off], { reference })))!.text;
  assert.match(
    page,
    /<th scope="row">WebRTC-BBR<\/th>.*<td>0\.9\d<\/td>.*<td>4<\/td><td class="paper">-0\.24, 0\.59, -0\.59<\/td>/,
  );
  assert.match(
    page,
    /<th scope="row">WebRTC-BBR, recovery=off<\/th>.*<td>-0\.9\d<\/td>.*<td>4<\/td><td class="paper"><\/td>/,
  );
});

test('without enough trials there is no such section', async () => {
  assert.equal(await plugin.render(report(gcc.slice(0, 3))), null);
});
