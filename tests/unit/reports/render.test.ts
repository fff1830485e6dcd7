import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Versions } from '../../../harness/record/versions.ts';
import { changedTitle } from '../../../reports/changed.ts';
import { plugin as reportOf } from '../../../reports/experiment/index.ts';
import type { ReportData } from '../../../reports/report.ts';
import { temporaryFolder } from '../harness/support/folder.ts';
import { planOf } from '../harness/support/plan.ts';
import { unjudged } from './support/judged.ts';
import { chartsOf, conditions, fullRun, parsePage, renderRun } from './support/run.ts';

const folder = temporaryFolder();
const full = await fullRun(folder);
const sectionsOf = (page: string) => [...parsePage(page).querySelectorAll('section')].map(section => section.id);
const textOf = (page: string, id: string) => parsePage(page).querySelector(`#${id}`)!.textContent.replace(/\s+/g, ' ');
const everySection = [
  'verdict',
  'table-1',
  'goodput-series',
  'rtt-cdf',
  'rtt-series',
  'sharing',
  'harm',
  'comparisons',
  'frame-rate-series',
  'stall-causes',
  'freeze-definitions',
  'overview',
  'trials',
  'downloads',
  'conditions',
];

test('a full run has every section, in order', () => {
  assert.deepEqual(sectionsOf(full.page), everySection);
});

test('a section that fails says so on the page and on the terminal, and the others are there', async () => {
  const { plan, summary } = full;
  const broken: ReportData = {
    plan,
    summary: { ...summary, conditions: null as never },
    versions: { kernel: '6.0' } as Versions,
    createdMs: 0,
    records: new Map(),
    disturbed: new Map(),
    details: [],
    files: [],
    ...unjudged,
    reference: null,
    voiceScores: null,
    kinds: { services: {}, aqms: {}, tunnels: {} },
    factsOf: () => ({ flows: 1, kernelControl: null, controller: null }),
  };
  const { page, lines } = await reportOf.render(broken);
  assert.match(textOf(page, 'verdict'), /This section failed: .*null/);
  assert.match(lines.join('\n'), /^Result failed: .*null/);
  assert.ok(sectionsOf(page).includes('conditions'));
});

test('headings have the figures of a paper only where the study follows it', async () => {
  const headingsOf = (page: string) =>
    [...parsePage(page).querySelectorAll('section > h2')].map(({ textContent }) => textContent);
  assert.deepEqual(
    headingsOf(full.page).filter(heading => heading.includes('Figure')),
    [],
  );
  assert.ok(headingsOf(full.page).includes('Goodput over time'));
  const rendered = (name: string, source: string) =>
    renderRun(folder, name, planOf({ conditions, source, run: { window: '10s' } }), [{}, {}, {}]);
  const { page } = await rendered('followed', 'Juntima, Nguyen, Pop: "Insights": Figures 4 to 9');
  assert.ok(headingsOf(page).includes('Goodput over time (Juntima et al., Figure 4)'));
  assert.ok([...parsePage(page).querySelectorAll('nav a')].some(link => link.textContent === 'Goodput over time'));
  for (const source of ['Drucker et al., Figure 4', 'own; the link of Juntima et al.'])
    assert.ok(headingsOf((await rendered(source.slice(0, 3), source)).page).includes('Goodput over time'));
});

test('a run that --set changed says so below the question, and others say nothing', async () => {
  const noteOf = (page: string) => parsePage(page).querySelector('header .note')?.textContent;
  assert.equal(noteOf(full.page), undefined);
  const plan = { ...planOf({ conditions, run: { repeats: 1 } }), changes: ['service.width=640', 'link.rate=20mbit'] };
  const { page } = await renderRun(folder, 'changed', plan, [{}, {}, {}]);
  assert.ok(parsePage(page).querySelector('h1')!.textContent.endsWith(', with service.width=640, link.rate=20mbit'));
  assert.equal(changedTitle('Title', ['run.window=30s', 'link.backend=tc']), 'Title, with link.backend=tc');
  assert.match(noteOf(page) ?? '', /with --set: service\.width=640, link\.rate=20mbit\. The question is/);
});

test('the link stands below the question, with what the conditions differ in', () => {
  assert.match(
    parsePage(full.page).querySelector('header .facts')!.textContent,
    /^Link: 40 Mbit\/s, FIFO 1000 packets .*, no added delay[^.]*\. Loss: no random loss \(Alone and Wired\); random loss 2 % \(Lossy\)$/,
  );
});

test('the terminal says the result of each condition as the report does', () => {
  assert.equal(full.lines.length, 3);
  assert.match(full.lines[0]!, /^Alone \(no flood\): /);
  assert.deepEqual(
    full.lines,
    [...parsePage(full.page).querySelectorAll('.verdict li')].map(({ textContent }) => textContent),
  );
});

test('the table has the factor of stalled time over the baseline', () => {
  const text = textOf(full.page, 'table-1');
  // 450 / 300; 600 / 300 and 1000 / 500
  assert.match(text, /Harm factor \(stalled time\)\s*\u2013\s*the baseline\s*1\.50\s*2 and 2/);
  assert.match(text, /Alone n = 2, Wired n = 1, Lossy n = 2/);
});

test('voided trials are listed with their reason and without numbers', () => {
  const rows = [...parsePage(full.page).querySelectorAll('#trials tbody tr')].map(row =>
    row.textContent.replace(/\s+/g, ' '),
  );
  assert.equal(rows.length, 6);
  assert.match(rows[4]!, /trials\/0005-wired\.void1.*void.*the machine was 99 % busy/);
  assert.doesNotMatch(rows[4]!, /fps/);
});

test('a flow that saw more than the link has is told at its trial and in the overview', async () => {
  const message = 'a BBRv3 flow estimated 626 Mbit/s (p99) on a link of 40 Mbit/s';
  const change = {
    verdict: { status: 'valid' as const, findings: [{ kind: 'estimate' as const, status: 'note' as const, message }] },
  };
  const { page } = await renderRun(folder, 'estimates', planOf({ conditions, run: { window: '10s' } }), [
    {},
    { change },
    { change },
  ]);
  assert.match(
    textOf(page, 'overview'),
    /In 2 of 2 trials with a flood, a flow estimated more bandwidth than the link has: see "Trials"\./,
  );
  const rows = [...parsePage(page).querySelectorAll('#trials tbody tr')].map(row => row.textContent);
  assert.deepEqual(
    rows.map(row => row.includes(message)),
    [false, true, true],
  );
  assert.match(rows[1]!, /valida BBRv3/);
  assert.doesNotMatch(rows[1]!, /disturbed/);
  assert.doesNotMatch(textOf(full.page, 'overview'), /estimated more/);
});

test('the charts hold the numbers of the record', () => {
  const charts = new Map(chartsOf(full.page).map(chart => [chart.title, chart]));
  const frames = charts.get('Frame rate over time')!;
  assert.deepEqual(frames.x.values, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(
    frames.lines.map(line => [line.label, line.colour, line.band !== undefined]),
    [
      ['Alone', 0, true],
      ['Wired', 1, false],
      ['Lossy', 2, true],
    ],
  );
  // one frame at 4.00 s and 28 from 4.45 s on
  assert.deepEqual(frames.lines[1]!.values, [50, 50, 50, 50, 29, 50, 50, 50, 50, 50]);
  assert.deepEqual(
    frames.marks!.map(mark => [mark.from, mark.to]),
    [
      [4, 4.3],
      [4, 4.5],
      [4, 4.45],
      [4, 4.6],
      [4, 5],
    ],
  );
  const goodput = charts.get('Goodput of stream and flood over time, Wired')!;
  assert.deepEqual(
    goodput.lines.map(line => [line.label, line.values[3]]),
    [
      ['media', 1],
      ['flood', 37],
    ],
  );
  assert.deepEqual(
    charts.get('Goodput of the stream over time, Alone')!.lines.map(line => line.label),
    ['media'],
  );
  assert.deepEqual(charts.get('Round-trip time over time')!.lines[0]!.values.slice(8, 11), [20, null, 20]);
  assert.deepEqual(charts.get('Distribution of the round-trip time')!.lines[0]!.values.at(-1), 1);
});

test('the page is one file: nothing in it is fetched', () => {
  const document = parsePage(full.page);
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['src', 'href', 'srcset', 'action', 'data', 'poster', 'xlink:href']) {
      const value = element.getAttribute(name);
      assert.ok(
        value === null || value.startsWith('data:') || value.startsWith('#'),
        `<${element.tagName} ${name}="${value}">`,
      );
    }
  }
  assert.equal(
    document.querySelectorAll(
      'script[src], link[rel=stylesheet], iframe, object, embed, base, meta[http-equiv]:not([http-equiv=Content-Security-Policy])',
    ).length,
    0,
  );
  const styles = [
    ...[...full.page.matchAll(/<style>(.*?)<\/style>/gs)].map(match => match[1]),
    ...[...document.querySelectorAll('[style]')].map(element => element.getAttribute('style')),
  ].join('\n');
  assert.equal(/@import|url\(\s*["']?(?!data:|#)/i.exec(styles)?.[0], undefined);
  const scripts = [...document.querySelectorAll('script:not([type])')]
    .map(element => element.textContent.replace(/\/\*.*?\*\//gs, ''))
    .join('\n');
  assert.ok(scripts.length > 10_000);
  assert.equal(
    /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\(|https?:\/\//.exec(scripts)?.[0],
    undefined,
  );
});

test('the page may run its own scripts, and nothing else', () => {
  const document = parsePage(full.page);
  const policy = document.querySelector('meta[http-equiv=Content-Security-Policy]')!.getAttribute('content')!;
  const hashes = [...full.page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  );
  assert.equal(
    policy,
    `default-src 'none'; script-src ${hashes.join(' ')}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  assert.equal(document.querySelectorAll('[onclick], [onload], [onerror]').length, 0);
});

test("the page's own script is whole", () => {
  const scripts = [...parsePage(full.page).querySelectorAll('script:not([type])')];
  assert.equal(scripts.length, 2);
  for (const script of scripts) assert.doesNotThrow(() => new Function(script.textContent));
});

test('one trial is a report without intervals', async () => {
  const { page } = await renderRun(folder, 'one', planOf({ run: { window: '10s' } }), [{ stallMs: 300 }]);
  assert.deepEqual(
    sectionsOf(page),
    everySection.filter(id => id !== 'harm' && id !== 'comparisons'),
  ); // nothing to compare with
  assert.match(textOf(page, 'table-1'), /n = 1 per condition; one trial: no interval/);
  assert.doesNotMatch(textOf(page, 'verdict'), /\[/);
});

test('a run without a trial says so and draws nothing', async () => {
  const { page } = await renderRun(folder, 'empty', planOf({ conditions }), []);
  assert.deepEqual(sectionsOf(page), ['verdict', 'table-1', 'trials', 'conditions']);
  assert.match(
    textOf(page, 'table-1'),
    /Harm factor \(stalled time\)\s*\u2013\s*the baseline\s*\u2013\s*no pair of trials/,
  );
  assert.deepEqual(chartsOf(page), []);
});

test('a run whose trials were all voided says that', async () => {
  const { page } = await renderRun(folder, 'void', planOf({ conditions }), ['void', 'void', 'void']);
  // the number of flows is unknown for a service that this version does not have
  assert.match(textOf(page, 'verdict'), /Wired \(1 \u00d7 BBRv1\): no valid trial, 1 void; its least disturbed try, /);
});

test('without stalls in the baseline there is a difference, and no factor', async () => {
  const { page } = await renderRun(folder, 'calm', planOf({ conditions, run: { window: '10s' } }), [
    {},
    { stallMs: 450 },
    {},
  ]);
  assert.match(textOf(page, 'harm'), /Stalled time minus baseline \(s\).*so the figure shows the difference/);
  assert.match(textOf(page, 'harm'), / n = 1 pair[,.]/);
  assert.match(textOf(page, 'table-1'), /undefined\s*the baseline has 0 s in its one trial; difference \+0\.45 s/);
});

test('words of others stay words, wherever they stand', async () => {
  const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)></title></style></section>';
  const plan = planOf({
    title: hostile,
    question: hostile,
    source: hostile,
    conditions: { alone: { title: `A${hostile}`, flood: { id: 'none' } }, wired: { title: `B${hostile}` } },
    reference: { title: hostile, note: hostile, values: { 'frame-rate': { alone: hostile } } },
    run: { window: '10s', repeats: 2 },
  });
  const change = {
    facts: { clip: { path: hostile }, encoder: { codec: hostile }, browser: hostile, controller: { title: hostile } },
  };
  const finding = {
    verdict: {
      status: 'degraded' as const,
      findings: [{ kind: 'host' as const, status: 'degraded' as const, message: hostile }],
    },
  };
  const { page } = await renderRun(folder, 'hostile', plan, [
    { stallMs: 300, change },
    { stallMs: 300, label: hostile, change: { ...change, ...finding } },
    {},
    { stallMs: 400 },
  ]);
  const document = parsePage(page);
  assert.deepEqual(sectionsOf(page), everySection);
  assert.equal(document.title, hostile);
  assert.equal(document.querySelectorAll('img, [onerror]').length, 0);
  // also counts the lines of the single trials
  assert.equal(document.querySelectorAll('script').length, 3 + chartsOf(page).length);
});

test('more conditions than colours can be told apart by name', async () => {
  const plan = planOf({
    vary: { 'link.rate': Array.from({ length: 10 }, (_, i) => `${10 + i}mbit`) },
    run: { window: '10s' },
  });
  const { page } = await renderRun(
    folder,
    'many',
    plan,
    plan.trials.map(() => ({})),
  );
  const [frames] = chartsOf(page).filter(chart => chart.title === 'Frame rate over time');
  assert.deepEqual(
    frames!.lines.map(line => line.colour),
    [0, 1, 2, 3, 4, 5, 6, 7, 0, 1],
  );
  assert.ok(!/var\(--c([89]|\d\d)\)/.test(page));
});
