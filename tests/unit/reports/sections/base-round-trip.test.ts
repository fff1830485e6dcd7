import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, startMs } from '../../harness/support/record.ts';
import { chartsOf, parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();
const estimates = (mbps: number) => ({
  series: {
    bbr3: every(100, startMs, endMs).map(timeMs => ({ kind: 'sample', timeMs, port: 1, maxBandwidthBps: mbps * 1e6 })),
  },
});

test('one line for each backend over the base round-trip times, with its intervals', async () => {
  const vary = { 'link.backend': ['tc', 'emulator'], 'link.rtt': ['0ms', '20ms'] };
  const { page } = await renderRun(
    folder,
    'both',
    planOf({ vary, run: { window: '10s' } }),
    [400, 39, 38, 38].map(estimates),
  );
  const section = parsePage(page).querySelector('#base-round-trip')!;
  const chart = chartsOf(page).find(({ title }) => /own estimate, 99th/.test(title))!;
  assert.deepEqual(
    [chart.x.values, chart.lines.map(({ label, values }) => [label, ...values])],
    [
      [0, 20],
      [
        ['tc, not serialising', 400, 39],
        ['emulator, serialising', 38, 38],
      ],
    ],
  );
  assert.match(
    section.textContent.replace(/\s+/g, ' '),
    /99th percentile.* ?base RTT ?tc, not serialising ?emulator, serialising ?0 ms ?400\.00? Mbit\/s ?38\.00? Mbit\/s ?20 ms/,
  );
});

test('one backend, or one base round-trip time, has no such section', async () => {
  for (const [name, vary] of Object.entries({
    backend: { 'link.backend': ['tc', 'emulator'] },
    rtt: { 'link.rtt': ['0ms', '20ms'] },
  })) {
    const { page } = await renderRun(folder, name, planOf({ vary, run: { window: '10s' } }), [{}, {}]);
    assert.equal(parsePage(page).querySelector('#base-round-trip'), null);
  }
});
