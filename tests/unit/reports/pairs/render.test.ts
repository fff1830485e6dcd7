import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from '../../../../harness/studies/pairs/changes.ts';
import { makePairsPlan, type PairsPlan } from '../../../../harness/studies/pairs/plan.ts';
import { qualityQuantities } from '../../../../harness/studies/pairs/quality.ts';
import { summarisePairs, type TrialInFolder } from '../../../../harness/studies/pairs/summarise.ts';
import type { PairsReport } from '../../../../reports/pairs/data.ts';
import { plugin } from '../../../../reports/pairs/index.ts';
import { shareColour } from '../../../../reports/pairs/matrix-table.ts';
import { standingAlone } from '../../../../reports/results/figures.ts';
import { contestant, plan, trial, trials } from '../../harness/studies/pairs/support/study.ts';
import { versions } from '../../harness/support/run-folder.ts';
import { unjudged } from '../support/judged.ts';
import { chartsOf, parsePage } from '../support/run.ts';

const render = async (data: Omit<PairsReport, 'judged'>) => (await plugin.render({ ...unjudged, ...data })).page;

const of = plan([contestant('iperf-reno'), contestant('batch-download'), contestant('call', 2e6, 'video-call')]);
const times = (n: number, sides: number[]) => Array.from({ length: n }, () => sides);
const all: TrialInFolder[] = [
  ...trials(of, '8mbit-iperf-reno-alone', [[7.8]]),
  ...trials(of, '8mbit-call-alone', [[1.9]]),
  ...trials(of, '8mbit-iperf-reno-and-batch-download', times(7, [1, 6.8])),
  ...trials(of, '8mbit-iperf-reno-and-iperf-reno', times(7, [3.8, 4])),
  ...trials(
    of,
    '8mbit-batch-download-and-batch-download',
    Array.from({ length: 12 }, (_, k) => (k % 2 === 0 ? [2, 6] : [5, 3])),
  ),
  trial(of, '8mbit-iperf-reno-and-call', 1, [5e6, 1e6], {
    traffic: { udpPackets: 10, lateUdpPackets: 4 },
    quality: [
      {},
      {
        'frame-rate': 24.4,
        resolution: 360,
        freezes: 3,
        stalled: 0.1,
        'stalled-by-queue': 0.75,
        'stalled-by-outage': 0.25,
        'stalled-by-browser': 0,
      },
    ],
  }),
  {
    ...trial(of, '8mbit-batch-download-and-call', 1, [5e6, 1e6], {
      file: {
        verdict: { status: 'invalid', findings: [{ kind: 'host', status: 'invalid', message: 'a <thread> waited' }] },
      },
    }),
    name: '8mbit-batch-download-and-call-001.void1',
  },
];
const givenUp = new Map([['8mbit-batch-download-and-call', 'CALL: timed out after 15 s waiting for the first frame']]);
const summaryOf = (study: PairsPlan, trialsOf: readonly TrialInFolder[]) =>
  summarisePairs({ plan: study, trials: trialsOf, quantities: qualityQuantities, givenUp });
const summary = summaryOf(of, all);
const report = { plan: of, versions, createdMs: Date.UTC(2026, 10, 21), summary, changes: null, trialsHref: 'trials/' };
const source = await render(report);
const page = parsePage(source);

test('under the shares stands what their intervals leave out', () => {
  const captions = [...page.querySelectorAll('figure.heat figcaption')].map(({ textContent }) => textContent);
  const shares = captions.filter(caption => caption.startsWith('Share: '));
  assert.ok(shares.length > 0);
  for (const caption of shares) assert.match(caption, /do not include the uncertainty of this median/);
});

/** Text of a page for readers, without the page's scripts. */
const read = (html: string) => html.slice(html.indexOf('<body>')).split('<script>')[0]!;
const text = (selector: string) => page.querySelector(selector)?.textContent ?? '';

test('the heat map says the share, its interval, and leads to the pair', () => {
  const [share] = [...page.querySelectorAll('#matrix .heat')];
  const rows = [...share!.querySelectorAll('tbody tr')].map(row =>
    [...row.querySelectorAll('td')].map(cell => cell.textContent),
  );
  assert.match(rows[1]![0]!, /^25\.0 %25\.0 to 25\.0$/, 'Reno beside the batch');
  assert.match(rows[0]![1]!, /^170\.0 %/, 'the batch beside Reno');
  assert.match(rows[1]![1]!, /unstable, two modes/);
  assert.match(rows[2]![1]!, /^not measured/);
  assert.match(rows[0]![2]!, /n = 1/);
  const link = share!.querySelectorAll('tbody tr')[1]!.querySelector('td a')!.getAttribute('href')!;
  assert.ok(page.querySelector(`[id="${link.slice(1)}"]`) !== null, link);
});

test('less than fair is red, more is blue, fair is neither', () => {
  assert.equal(shareColour(1), 'color-mix(in srgb, var(--c0) 0%, transparent)');
  assert.equal(shareColour(0.5), 'color-mix(in srgb, var(--bad) 60%, transparent)');
  assert.equal(shareColour(0), 'color-mix(in srgb, var(--bad) 60%, transparent)');
  assert.equal(shareColour(2), 'color-mix(in srgb, var(--c0) 60%, transparent)');
});

test('every pair leads to its trials, those that do not count with the reason', () => {
  const links = [...page.querySelectorAll('#cells a')].map(link => link.getAttribute('href'));
  for (const { name } of all.filter(({ file }) => file.applications.length === 2))
    assert.ok(links.includes(`trials/${name}/index.html`), name);
  assert.match(text('#cells'), /a <thread> waited/);
  assert.match(text('#cells'), /could not be measured \(CALL: timed out after 15 s waiting for the first frame\)/);
  assert.match(text('#cells'), /batch-download has two modes: nothing between 2\.00 and 5\.00 Mbit\/s/);
});

test('a page of results has none of what leads to trials', () => {
  const alone = standingAlone(source.slice(0, source.indexOf('id="cells"')));
  assert.match(source, /A number leads to its trials\./);
  assert.doesNotMatch(alone, /A number leads to its trials\.|href="trials\//);
});

test("what the call's user saw beside each contender", () => {
  assert.match(
    text('#quality'),
    /beside IPERF-RENO.*360.*24\.4 fps.*10\.0 %.*40\.0 %.*bottleneck queue 75\.0 %, link outage or loss of capacity 25\.0 %1 of 1 trial stalled/s,
  );
  assert.match(text('#cells'), /Of the time stalled: bottleneck queue/);
  assert.doesNotMatch(text('#cells'), /Of the time stalled: browser/, 'what no time is put down to is left out');
});

test('who takes and who yields, and how many triples could be decided', () => {
  assert.match(text('#ranking'), /Non-transitive triples: 0 of 0 that could be decided \(of 6 ordered triples\)/);
  assert.match(text('#ranking'), /Contentiousness.*BATCH-DOWNLOAD/s);
});

test('a claim stands beside its two measurements, with whose it is, and has a verdict at its own rate only', async () => {
  const study = plan(
    ['iperf-reno', 'iperf-cubic', 'abr-video-4', 'abr-video-reno'].map(name => contestant(name)),
    { links: ['8mbit', '8mbit-deep', '50mbit'] },
  );
  const seven = (cell: string, reno: number, rest: number) => trials(study, cell, times(7, [reno, rest]));
  const findings = parsePage(
    await render({
      ...report,
      plan: study,
      summary: summaryOf(study, [
        ...seven('8mbit-iperf-reno-and-iperf-cubic', 2.4, 5.6),
        ...seven('8mbit-deep-iperf-reno-and-iperf-cubic', 3.2, 4.8),
        ...['8mbit', '50mbit'].flatMap(link => [
          ...seven(`${link}-iperf-reno-and-abr-video-4`, 2, 5),
          ...seven(`${link}-iperf-reno-and-abr-video-reno`, 4, 3),
        ]),
      ]),
    }),
  );
  const rows = [...findings.querySelectorAll('#findings tbody tr')].map(row =>
    row.textContent!.replaceAll(/\s+/g, ' '),
  );
  assert.equal(rows.length, 3);
  assert.match(rows[0]!, /our own question, after observation 38mbit.*50\.0 %.*100\.0 %.*confirmed$/);
  assert.match(rows[1]!, /our own question.*50mbit.*no verdict: asked for 8 Mbit\/s$/);
  assert.match(rows[2]!, /60 to 28 %.*the paper, observation 11.*80\.0 %.*doubled queue.*60\.0 %.*refuted$/);
  assert.equal(text('#findings'), '', 'there is none where no comparison has both its measurements');
});

test('a claim whose level is missed says so', async () => {
  const study = plan(
    ['iperf-reno', 'iperf-bbr', 'batch-download'].map(name => contestant(name)),
    { links: ['50mbit'] },
  );
  const findings = parsePage(
    await render({
      ...report,
      plan: study,
      summary: summaryOf(study, [
        ...trials(study, '50mbit-iperf-reno-and-batch-download', times(7, [10, 37])),
        ...trials(study, '50mbit-iperf-reno-and-iperf-bbr', times(7, [40, 9.5])),
      ]),
    }),
  );
  const underused = [...findings.querySelectorAll('#findings tbody tr')].find(row =>
    /underused/.test(row.textContent!),
  );
  assert.match(underused!.textContent!, /refuted: 94\.0 % is not below 85\.0 %$/);
});

test('a claim that is undecided says what stands in the way', async () => {
  const study = plan(
    ['iperf-reno', 'iperf-bbr', 'batch-download'].map(name => contestant(name)),
    { links: ['50mbit'] },
  );
  const said = async (besideBatch: readonly number[], n = 7) => {
    const page = parsePage(
      await render({
        ...report,
        plan: study,
        summary: summaryOf(study, [
          ...trials(
            study,
            '50mbit-iperf-reno-and-batch-download',
            Array.from({ length: n }, (_, k): [number, number] => [10, besideBatch[k % besideBatch.length]! - 10]),
          ),
          ...trials(study, '50mbit-iperf-reno-and-iperf-bbr', times(7, [40, 9])),
        ]),
      }),
    );
    return [...page.querySelectorAll('#findings tbody tr')].find(row => /underused/.test(row.textContent!))!
      .textContent!;
  };
  assert.match(await said([40, 45]), /undecided: 85\.0 % lies between 80\.0 % and 90\.0 %$/);
  assert.match(await said([40, 49.5]), /undecided: the intervals overlap; 85\.0 % lies between 80\.0 % and 99\.0 %$/);
  assert.match(await said([40], 2), /undecided: too few trials for an interval of the first value$/);
});

test('pairs that were picked make no ranking, and no table without a row', async () => {
  const picked = makePairsPlan({
    ...of,
    only: ({ sides }) => sides.includes('batch-download') && sides.includes('iperf-reno'),
  });
  const reno = trials(picked, '8mbit-iperf-reno-and-batch-download', times(7, [1, 6.8]));
  const html = read(await render({ ...report, plan: picked, summary: summaryOf(picked, reno) }));
  assert.match(html, /No ranking: /);
  assert.doesNotMatch(html, /The loser of a pair|>Contentiousness</);
  assert.doesNotMatch(html, /Frame rate/);
  assert.match(text('#quality'), /Frame rate/);
  assert.match(text('#matrix'), /The loser of a pair/);
});

test('over three bandwidths a chart of each service, and the shares that rise and fall', async () => {
  const swept = plan([contestant('a'), contestant('b')], { links: ['8mbit', '20mbit', '50mbit', '8mbit-deep'] });
  const on = (link: string, mbps: number, a: number) => trials(swept, `${link}-a-and-b`, times(7, [a, mbps - a]));
  const html = await render({
    ...report,
    plan: swept,
    summary: summaryOf(swept, [
      ...on('8mbit', 8, 4),
      ...on('20mbit', 20, 4),
      ...on('50mbit', 50, 25),
      ...on('8mbit-deep', 8, 1),
    ]),
  });
  const charts = chartsOf(html);
  assert.deepEqual(
    charts.map(({ title, x, lines }) => [title, x.values, lines.map(line => line.values)]),
    [
      [
        'A',
        [8, 20, 50],
        [
          [null, null, null],
          [100, 40, 100],
        ],
      ],
      [
        'B',
        [8, 20, 50],
        [
          [100, 160, 100],
          [null, null, null],
        ],
      ],
    ],
  );
  assert.match(
    read(html),
    /both rise and fall with the bandwidth, over 3 links, by more than their intervals allow: 2\./,
  );
  assert.match(
    read(html),
    /A beside B: its share falls from 8 Mbit\/s to 20 Mbit\/s and rises from 20 Mbit\/s to 50 Mbit\/s\./,
  );
});

test('a matrix of single trials says that it proves nothing', async () => {
  const one = plan([contestant('a'), contestant('b')], { run: { stopping: 'fixed', repeats: 1, soloRepeats: 1 } });
  const quick = await render({
    ...report,
    plan: one,
    summary: summaryOf(one, trials(one, '8mbit-a-and-b', [[3, 5]])),
  });
  assert.match(quick, /So few trials give no 95 % interval/);
  assert.doesNotMatch(read(quick), /NaN|undefined|Infinity/);
});

test('a study that is under way says so, one that is complete does not', async () => {
  const one = plan([contestant('a')], { run: { stopping: 'fixed', repeats: 2, soloRepeats: 1 } });
  const alone = trials(one, '8mbit-a-alone', [[7]]);
  const said = async (pairs: number) =>
    read(
      await render({
        ...report,
        plan: one,
        summary: summaryOf(one, [...alone, ...trials(one, '8mbit-a-and-a', times(pairs, [3, 5]))]),
      }),
    );
  assert.match(await said(1), /Not complete: 1 of 2 cells \(pairs, and services alone\) still needed trials/);
  assert.doesNotMatch(await said(2), /Not complete/);
});

test('a study of which nothing is there yet renders, too', async () => {
  const empty = await render({ ...report, summary: summaryOf(of, []) });
  assert.doesNotMatch(read(empty), /NaN|undefined|Infinity/);
});

test('what changed since the cycle before, and the page of all cycles', async () => {
  const later = summaryOf(of, [
    ...all.filter(({ file }) => file.trial.condition !== '8mbit-iperf-reno-and-batch-download'),
    ...trials(of, '8mbit-iperf-reno-and-batch-download', times(7, [2, 5.8])),
  ]);
  const changes = changesBetween(
    { summary, versions, run: of.run },
    { summary: later, versions: { ...versions, kernel: '6.19' }, run: { ...of.run, windowMs: 90_000 } },
  );
  const changed = parsePage(await render({ ...report, summary: later, changes: { since: 'cycle 0001', changes } }));
  assert.match(
    changed.querySelector('#changes')!.textContent,
    /Against cycle 0001: kernel: 6\.18 \u2192 6\.19; windowMs: 60000 \u2192 90000\..*IPERF-RENO beside BATCH-DOWNLOAD8mbit\s*25\.0 %.*50\.0 %.*25\.0 %/s,
  );
});

test('of a live URL it says whose round-trip time it has', async () => {
  const study = plan([contestant('iperf-reno'), contestant('wikipedia', null, 'live')]);
  const quality = { 'load-event': 812, resolution: 720 };
  const live = parsePage(
    await render({
      ...report,
      plan: study,
      summary: summaryOf(study, [
        trial(study, '8mbit-iperf-reno-and-wikipedia', 1, [5e6, 2e6], { quality: [{}, quality] }),
      ]),
    }),
  );
  assert.match(live.querySelector('#services')!.textContent!, /has the round-trip time that the Internet gives it/);
  assert.match(live.querySelector('#quality')!.textContent!, /beside IPERF-RENO.*812\.0 ms.*720/s);
  assert.doesNotMatch(text('#services'), /the Internet gives it/);
});
