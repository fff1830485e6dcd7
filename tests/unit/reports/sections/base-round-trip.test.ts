import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportData } from '../../../../reports/report.ts';
import { resultsPage } from '../../../../reports/results/page.ts';
import { agreementsOf } from '../../../../reports/sections/base-round-trip/agreement.ts';
import { fieldsOf } from '../../../../reports/sections/base-round-trip/fields.ts';
import { sentencesOf } from '../../../../reports/sections/base-round-trip/sentences.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, startMs } from '../../harness/support/record.ts';
import { facts } from '../support/facts.ts';
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
  const chart = chartsOf(page).find(({ title }) => /estimate of TCP flows, 99th/.test(title))!;
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

const links = { 'link.backend': ['tc', 'emulator'], 'link.rtt': ['0ms', '2ms', '20ms'] };
const text = (element: { textContent: string }) => element.textContent.replace(/\s+/g, ' ').trim();

/** Section for trials with these frame rates, by backend, base round-trip time and repeat. */
function saidOf(repeats: number, frameRate: (backend: string, rttMs: number, repeat: number) => number | null) {
  const plan = planOf({ vary: links });
  const conditions = plan.conditions.map(({ id }) => ({ id, trials: repeats }));
  const trials = plan.conditions.flatMap(({ id, link }) =>
    Array.from({ length: repeats }, (_, repeat) => ({
      condition: id,
      flood: 'BBRv3',
      metrics: { 'frame-rate': frameRate(link.backend, link.paths['flood']!.rttMs!, repeat), 'stall-time': 0 },
    })),
  );
  const quantities = [
    { id: 'frame-rate', title: 'Frame rate', unit: '1/s', better: 'higher' },
    { id: 'stall-time', title: 'Stalled time', unit: 's', better: 'lower' },
  ];
  const report = {
    plan,
    summary: { conditions, trials, quantities },
    records: new Map(),
    disturbed: new Map(),
    ...facts,
  } as unknown as ReportData;
  const page = parsePage(`<body>${sentencesOf(agreementsOf(fieldsOf(report), report))!.text}</body>`);
  return {
    summary: text(page.querySelector('#link-agreement')!),
    sentences: [...page.querySelectorAll('li')].map(text),
    note: text(page.querySelector('p.note')!),
  };
}

const summaryOf = (words: string) =>
  `Links that do not serialise against emulator, which does: tc beside 2 \u00d7 BBRv3: ${words}.`;

test('six trials of each: where the links differ and by how much, and from which base round-trip time they agree', () => {
  const { summary, sentences, note } = saidOf(
    6,
    (backend, rttMs, repeat) => (backend === 'tc' && rttMs === 0 ? 50 : 59) + repeat / 10,
  );
  assert.equal(summary, summaryOf('no difference was seen from 2 ms on (n = 6, judged at 0 ms, 2 ms and 20 ms)'));
  assert.deepEqual(sentences, [
    '0 ms, 2 \u00d7 BBRv3: tc against emulator (n = 6): they differ in frame rate \u22129.0 fps [\u22129.3, \u22128.7]; no difference was seen in stalled time 0.00 s [0.00, 0.00].',
    '2 ms, 2 \u00d7 BBRv3: tc against emulator (n = 6): no difference was seen in stalled time 0.00 s [0.00, 0.00] and frame rate 0.0 fps [\u22120.3, 0.3].',
    '20 ms, 2 \u00d7 BBRv3: tc against emulator (n = 6): no difference was seen in stalled time 0.00 s [0.00, 0.00] and frame rate 0.0 fps [\u22120.3, 0.3].',
  ]);
  assert.match(note, /p below 0\.05 after the correction for 3 tests, from 6 trials of each on/);
});

test('below six trials of each nothing is claimed, neither a difference nor that there is none', () => {
  const { summary, sentences } = saidOf(5, (backend, rttMs) => (backend === 'tc' && rttMs === 0 ? 50 : 59));
  assert.equal(summary, summaryOf('fewer than 6 trials of each link, too few to claim anything'));
  assert.equal(sentences.length, 3);
  for (const sentence of sentences)
    assert.match(sentence, /\(n = 5\): fewer than 6 trials of each, too few to claim anything\.$/);
});

test('a difference at the longest base round-trip time, at a later one than an agreement, and none at all', () => {
  const differing = (at: readonly number[]) =>
    saidOf(6, (backend, rttMs, repeat) => (backend === 'tc' && at.includes(rttMs) ? 50 : 59) + repeat / 10).summary;
  const at = '(n = 6, judged at 0 ms, 2 ms and 20 ms)';
  assert.equal(differing([0, 20]), summaryOf(`a difference was seen up to 20 ms, the longest that was judged ${at}`));
  assert.equal(differing([2]), summaryOf(`no difference was seen from 20 ms on ${at}`));
  assert.equal(differing([]), summaryOf(`no difference was seen at any base round-trip time ${at}`));
});

test('what only some trials show is no difference, and many tests are corrected for one another', () => {
  const { sentences } = saidOf(6, (backend, _, repeat) => (backend === 'tc' && repeat < 3 ? 50 : 59) + repeat / 10);
  assert.doesNotMatch(sentences.join(' '), /they differ/);
});

test('the page of results has the sentences, too', async () => {
  const plan = planOf({ vary: { ...links, 'link.rtt': ['0ms', '20ms'] }, run: { window: '10s' } });
  const { page } = await renderRun(folder, 'page', plan, [{}, {}, {}, {}]);
  assert.match(
    resultsPage(page, plan, null, [], ({ name }) => name).replace(/\s+/g, ' '),
    /## Base round-trip time and link backend Links that do not serialise against emulator, .* - 0 ms, .* - 20 ms, .* Numbers: not serialising minus serialising/,
  );
});
