import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandOf } from '../../../../harness/studies/experiment/index.ts';
import { byHandIn, withByHand } from '../../../../reports/results/by-hand.ts';
import { figuresOf } from '../../../../reports/results/figures.ts';
import { resultsPage } from '../../../../reports/results/page.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { planOf } from '../../../unit/harness/support/plan.ts';
import { conditions, type Made, renderRun } from '../../../unit/reports/support/run.ts';

const folder = temporaryFolder();
const plan = planOf({
  title: 'A | B <i>',
  conditions,
  run: { window: '10s', repeats: 2 },
  reference: { title: 'Paper', values: { 'frame-rate': { alone: '54.8 fps' } } },
});
const { page } = await renderRun(folder, 'run', plan, [
  { stallMs: 300 },
  { stallMs: 450, label: 'A <b> & "c"' },
  { stallMs: 600 },
  { stallMs: 500 },
  'void',
  { stallMs: 1000 },
]);
const figures = await figuresOf(page);

test('each figure is an SVG of its own: well formed, without variables of the page, with its legend', () => {
  const names = figures.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of [
    'goodput-series-1',
    'goodput-series-3',
    'rtt-series',
    'rtt-cdf',
    'frame-rate-series',
    'overview-1',
    'harm',
  ])
    assert.ok(names.includes(name), `${name} in ${names.join(', ')}`);
  for (const { name, svg } of figures) {
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    assert.doesNotMatch(svg, /var\(--(?!plot)/, name);
    writeFileSync(join(folder, `${name}.svg`), svg);
  }
  const { svg, title } = figures.find(({ name }) => name === 'rtt-series')!;
  assert.equal(title, 'Round-trip time over time');
  for (const label of ['Alone', 'Wired', 'Lossy'])
    assert.match(svg, new RegExp(`<rect [^>]*fill="#[0-9a-f]{6}"/><text [^>]*>${label}</text>`));
  const files = figures.map(({ name }) => join(folder, `${name}.svg`));
  const { status, stderr } = spawnSync(
    'python3',
    ['-c', 'import sys, xml.dom.minidom\nfor path in sys.argv[1:]: xml.dom.minidom.parse(path)', ...files],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
});

test('what is bold in the report is bold on the page', async () => {
  const made = await renderRun(
    folder,
    'bold',
    planOf({ conditions: { alone: conditions.alone, wired: conditions.wired }, run: { window: '10s', repeats: 6 } }),
    Array.from({ length: 6 }, (_, i): Made[] => [{}, { stallMs: 3000 + 100 * i }]).flat(),
  );
  const text = resultsPage(made.page, plan, null, [], () => '');
  assert.match(text, /\n\| Wired<br>minus Alone \| 6 \| \*\*\+3\.25 s\*\*<br>\\\[/);
});

test('the claims of a study come first, and their comparisons after Table 1', async () => {
  const holds = [{ metric: 'stall-time', condition: 'alone', below: '1s' }];
  const claims = [{ text: 'Nothing stalls.', source: 'section 9', holds }];
  const made = planOf({ conditions: { alone: conditions.alone }, claims, run: { window: '10s', repeats: 6 } });
  const rendered = await renderRun(
    folder,
    'claims',
    made,
    Array.from({ length: 6 }, () => ({})),
  );
  const text = resultsPage(rendered.page, made, null, [], () => '');
  assert.match(
    text,
    /\n## What the paper found\n\n- reproduced: Nothing stalls\. \(section 9; 1 of 1 comparison holds\)\n\n## Result\n\n- Alone: /,
  );
  assert.match(
    text,
    /## Table 1[^]*## The comparisons of each claim\n\n\*\*Nothing stalls\.\*\*\n\n\| Metric \| Measured \|/,
  );
  assert.match(rendered.lines[0]!, /^reproduced: Nothing stalls\./);
});

test('Table 1 is Table 1 where the tries come before it, because no trial is valid', async () => {
  const made = await renderRun(folder, 'none-valid', plan, ['void', 'void', 'void']);
  const text = resultsPage(made.page, plan, null, [], () => '');
  assert.match(text, /^No valid trial: 3 of 3 tries are void/m);
  assert.match(text, /\n## Table 1\n\n\|.*\n\|.*\n\| Goodput \|/);
  assert.match(text, /\n### Tries\n\n\| Tries \|/);
});

test('what holds for all differences stands before the sentences', () => {
  const few = page.replace(/(<section id="verdict">.*?)(?=<ul)/s, '$1<p id="too-few-pairs">6 pairs are too few.</p>');
  assert.match(
    resultsPage(few, plan, null, [], () => ''),
    /\n## Result\n\n6 pairs are too few\.\n\n- /,
  );
});

test('of a section with very many figures a page shows none, and says how many there are', () => {
  const series = Array.from({ length: 17 }, (_, k) => ({ ...figures[0]!, name: `goodput-series-${k + 1}` }));
  const [one] = figures.filter(({ name }) => name === 'rtt-series');
  const text = resultsPage(page, plan, null, [...series, one!], ({ name }) => `run/${name}.svg`);
  assert.doesNotMatch(text, /run\/goodput-series/);
  assert.match(
    text,
    /\(run\/rtt-series\.svg\)[^]*\nThe 17 figures of "Goodput over time" are in the HTML report only\.\n/,
  );
});

test('a page without figures has none', async () => {
  assert.deepEqual(await figuresOf('<main><section id="verdict"><p>nothing</p></section></main>'), []);
});

test('the page has question, verdict, published values beside measured ones, figures and the machine', () => {
  const text = resultsPage(page, plan, null, figures, ({ name }) => `run/${name}.svg`);
  assert.match(text, /^# A \\\| B &lt;i\\>\n/);
  assert.doesNotMatch(text, /--set/);
  const changes = ['run.parallel=2', 'a.b=1', 'vary.x=["0ms","it\'s"]'];
  const own = { ...plan, study: 's', changes };
  const changed = resultsPage(page, own, commandOf(own), figures, ({ name }) => name);
  assert.ok(
    changed.includes(
      `| Command | \`npm run experiment -- s --repeats 2 --set run.parallel=2 --set a.b=1 --set 'vary.x=["0ms","it'\\''s"]'\` |`,
    ),
    changed,
  );
  assert.doesNotMatch(text, /npm run experiment/, 'of a study of their own nobody else has the file');
  assert.match(changed, /\nThis run changed the study with `--set`: `a\.b=1`, /, 'not how many ran at once');
  assert.match(text, /\n- Alone \(no flood\): median 48\.1 fps, 2 stalls in 2 of 2 trials, the longest 500 ms\.\n/);
  assert.match(text, /\n\| Difference \| Pairs \| Stalled time \| Frame rate \| Bitrate \|[^\n]*\n\| --- \|/);
  assert.match(text, /\n\| {2}\| Alone<br>no flood \|[^\n]*\| Alone<br>published \|\n/);
  assert.match(text, /\n\| Frame rate \| 47\.6 and 48\.6 fps[^\n]* \| 54\.8 fps \|\n/);
  const described = text.replace(/\s+/g, ' ').match(/Alone: no flood, 40 Mbit\/s, FIFO/g);
  assert.equal(described?.length, 1, 'captions point to the conditions under Table 1');
  assert.match(text, /Conditions:\sas\sunder\sTable\s1\./);
  assert.match(text, /\n!\[Round-trip time over time\]\(run\/rtt-series\.svg\)\n/);
  assert.match(text, /\n\| Wired \| 2 \| 1 \| 0 \| 1 \| \u2013 \| the machine was \u2026 % busy \(1\) \|\n/);
  assert.match(text, /\n\| Median \| Stalled time<br>valid trials \| Stalled time<br>all measured tries \|/);
  assert.match(text, /All tests are in the HTML report\.\n/);
  assert.doesNotMatch(text, /Compared with the baseline/);
  assert.match(text.replaceAll('\n', ' '), /\(run\/goodput-series-3\.svg\) {2}Payload that arrived per second\. /);
  assert.match(text, /\n\| Machine \| [^\n]* cores, [^\n]* \|\n/);
  const rows = text.split('\n').filter(line => line.startsWith('|'));
  const columns = (line: string) => line.trimEnd().replaceAll('\\|', '').split('|').length;
  const tables = text.split('\n\n').filter(block => block.startsWith('|'));
  assert.ok(rows.length > 20 && tables.length >= 4);
  for (const table of tables) assert.deepEqual([...new Set(table.trimEnd().split('\n').map(columns))].length, 1, table);
});

test('a page that is written again keeps what people wrote into it', () => {
  const text = resultsPage(page, plan, null, [], () => '');
  assert.equal(withByHand(text, byHandIn(text)), text);
  const first = withByHand(text, 'The stream keeps\nits bitrate.');
  assert.equal(byHandIn(first), 'The stream keeps\nits bitrate.');
  assert.equal(withByHand(text, byHandIn(first)), first);
  assert.ok(first.indexOf('keeps') < first.indexOf('## Result'));
});
