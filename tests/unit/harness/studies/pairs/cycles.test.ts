import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { CoexistError } from '../../../../../core/errors.ts';
import { siteUrl } from '../../../../../core/text/site-url.ts';
import {
  completeCycles,
  keepCycle,
  keepSiteUrl,
  lastCycle,
  makeSite,
  openCycle,
  runIn,
} from '../../../../../harness/record/cycles.ts';
import { finishCycle } from '../../../../../harness/studies/pairs/cycle.ts';
import { plugin } from '../../../../../harness/studies/pairs/index.ts';
import type { PairsPlan } from '../../../../../harness/studies/pairs/plan.ts';
import { finishPairsAgain } from '../../../../../harness/studies/pairs/report.ts';
import type { StudyKind } from '../../../../../harness/studies/study.ts';
import { writeSite as writeSiteOf } from '../../../../../harness/studies/watch.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { versions } from '../../support/run-folder.ts';
import { contestant, plan, trials } from './support/study.ts';

const parent = temporaryFolder();
const matrixOf = (run: object = {}) =>
  plan([contestant('one'), contestant('two')], { run: { stopping: 'fixed', repeats: 1, soloRepeats: 1, ...run } });
const matrix = matrixOf();
const read = async () => ({ versions, files: {} });
const again = 'npm run pairs -- --resume x';
const watched = { kind: plugin as StudyKind, plan: matrix };
const writeSite = (path: string, underWay: Parameters<typeof writeSiteOf>[2] = null) =>
  writeSiteOf(path, watched, underWay);
const open = (site: string, of: PairsPlan = matrix) => openCycle(site, of, read, { again });

function site(name: string): string {
  const path = join(parent, name);
  makeSite(path);
  return path;
}

/** Runs a cycle to its end. */
async function done(path: string, of = matrix): Promise<string> {
  const { name, folder } = await open(path, of);
  for (const { id, sides } of of.cells) {
    for (const { file } of trials(of, id, [sides.map(() => 4)])) folder.commit(folder.begin(file.trial.id), file);
  }
  await finishCycle(folder, of, new Map());
  folder.release();
  keepCycle(path, name);
  return name;
}

test('a cycle that was not completed goes on; the next one begins when it is', async () => {
  const path = site('goes-on');
  const first = await open(path);
  first.folder.release();
  const again = await open(path);
  again.folder.release();
  assert.deepEqual([first.name, again.name, again.note], ['0001', '0001', null]);
  assert.equal(await done(path), '0001');
  assert.equal(await done(path), '0002');
  assert.match(readFileSync(join(lastCycle(path)!, 'report.html'), 'utf8'), /Against cycle 0001: /);
});

test('a report does not complete a cycle that is under way', async () => {
  const path = site('reported');
  await done(path);
  const { name, folder } = await open(path);
  folder.release();
  await finishPairsAgain(join(path, 'cycles', name));
  assert.match(readFileSync(folder.file('report.html'), 'utf8'), /Not complete: \d of 5 cells/);
  assert.equal(runIn(path), join(path, 'cycles/0001'));
  assert.equal(await done(path), name);
  assert.equal(runIn(path), join(path, 'cycles', name));
});

test('with another plan a new cycle begins, which says so; the one before stays, and is nothing to compare with', async () => {
  const path = site('another-plan');
  await done(path);
  const half = await open(path);
  half.folder.release();
  const other = matrixOf({ window: '90s' });
  const next = await open(path, other);
  next.folder.release();
  assert.deepEqual([half.name, next.name], ['0002', '0003']);
  assert.match(next.note!, /^cycle 0002 is not complete and has a different plan/);
  assert.equal(next.folder.planFile().plan.run.windowMs, 90_000);
  assert.deepEqual(readdirSync(join(path, 'cycles')), ['0001', '0002', '0003']);
  await done(path, other);
  assert.match(readFileSync(join(lastCycle(path)!, 'report.html'), 'utf8'), /Against cycle 0001: /);
});

test('versions are those of the time at which a cycle begins', async () => {
  const path = site('versions');
  await done(path);
  const later = async () => ({ versions: { ...versions, kernel: '6.19' }, files: {} });
  const { folder } = await openCycle(path, matrix, later, { again });
  folder.release();
  await assert.rejects(open(path), {
    code: 'bad-run-folder',
    message: /kernel: 6\.18, was 6\.19$/,
    hint: /npm run pairs -- --resume x --despite-changes$/,
  });
  const resumed = await openCycle(path, matrix, read, { again, despiteChanges: true });
  resumed.folder.release();
  assert.equal(resumed.note, 'changed since cycle 0002 began: kernel: 6.18, was 6.19');
  assert.equal(resumed.folder.planFile().versions.kernel, '6.19');
});

test('killed before its plan was written a cycle is begun anew', async () => {
  const path = site('no-plan');
  await done(path);
  mkdirSync(join(path, 'cycles/0002/trials'), { recursive: true });
  assert.equal(lastCycle(path), join(path, 'cycles/0001'));
  const { name, folder } = await open(path);
  folder.release();
  assert.equal(name, '0002');
  assert.ok(existsSync(folder.file('plan.json')));
});

test('the site has its page from the beginning', async () => {
  const path = site('index');
  const cycle = await open(path);
  await writeSite(path, cycle as never);
  cycle.folder.release();
  assert.match(readFileSync(join(path, 'index.html'), 'utf8'), /Cycle 0001, begun .* is under way/);
});

test('with each cycle its site has a page for every pair and service, whose links lead to files', async () => {
  const path = site('pages');
  await done(path);
  await done(path);
  await writeSite(path);
  const pages = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.html') && !name.startsWith('cycles'),
  );
  assert.deepEqual(pages.sort(), [
    'index.html',
    'pairs/8mbit-one-alone.html',
    'pairs/8mbit-one-and-one.html',
    'pairs/8mbit-one-and-two.html',
    'pairs/8mbit-two-alone.html',
    'pairs/8mbit-two-and-two.html',
    'services/one.html',
    'services/two.html',
  ]);
  for (const page of pages) {
    const text = readFileSync(join(path, page), 'utf8');
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, href] of text.matchAll(/<(?:a|link)[^>]* href="([^"]+)"/g)) {
      if (href!.startsWith('data:')) continue;
      const [file, anchor] = href!.split('#');
      if (file === '') assert.ok(ids.has(anchor), `${page}: ${href}`);
      else {
        const target = join(path, dirname(page), file!);
        assert.ok(existsSync(target), `${page}: ${href}`);
        assert.ok(
          anchor === undefined || readFileSync(target, 'utf8').includes(` id="${anchor}"`),
          `${page}: ${href} has its place`,
        );
      }
    }
  }
});

test('a folder of the site that is a link is not written into', async () => {
  const path = site('link');
  await done(path);
  const elsewhere = join(parent, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(path, 'pairs'));
  await assert.rejects(writeSite(path), { code: 'bad-run-folder', message: /pairs is a link/ });
  assert.deepEqual(readdirSync(elsewhere), []);
});

test("a stranger's summary names no file outside of the site", async () => {
  const path = site('names');
  await done(path);
  const file = join(path, 'cycles/0001/summary.json');
  const honest = readFileSync(file, 'utf8');
  type Summary = {
    cells: { id: string; trials: string[]; sides: { values: { share?: { value: unknown } } }[] }[];
    contestants: { name: string; models: unknown }[];
    links: { losers: unknown }[];
  };
  for (const [change, where] of [
    [({ cells }: Summary) => (cells[0]!.id = '../../outside'), 'cells.0.id'],
    [({ cells }: Summary) => (cells[0]!.id = 'deeper/outside'), 'cells.0.id'],
    [({ cells }: Summary) => (cells[0]!.trials[0] = '../..'), 'cells.0.trials.0'],
    [({ contestants }: Summary) => (contestants[1]!.name = '../../outside'), 'contestants.1.name'],
    // fields that the pages need are missing
    [({ contestants }: Summary) => (contestants[1]!.models = {}), 'contestants.1.models'],
    [({ links }: Summary) => (links[0]!.losers = null), 'links.0.losers'],
    [({ cells }: Summary) => (cells[0]!.sides[0]!.values.share!.value = 1e308), 'cells.0.sides.0.values.share.value'],
    [({ cells }: Summary) => cells[0]!.sides.push(cells[0]!.sides[0]!, cells[0]!.sides[0]!), 'cells.0.sides'],
  ] as const) {
    const summary = JSON.parse(honest) as Summary;
    change(summary);
    writeFileSync(file, JSON.stringify(summary));
    await assert.rejects(writeSite(path), (error: CoexistError) => {
      assert.equal(error.code, 'bad-run-folder');
      assert.ok(error.message.includes(`summary.json: ${where}: `), error.message);
      return true;
    });
  }
  const deep = honest.replace('"params": {}', `"params": ${'['.repeat(9000)}${']'.repeat(9000)}`);
  for (const damaged of ['null', '{', '{"cells": []}', deep]) {
    writeFileSync(file, damaged);
    await assert.rejects(writeSite(path), { code: 'bad-run-folder' }, damaged);
  }
  assert.deepEqual(readdirSync(path), ['cycles', 'site.json']);
  assert.ok(!existsSync(join(parent, 'outside.html')));
  writeFileSync(file, honest);
  await writeSite(path);
  assert.ok(existsSync(join(path, 'pairs/8mbit-one-alone.html')));
});

test('cycles that are a link are not begun in', () => {
  const [path, elsewhere] = [join(parent, 'cycles-link'), join(parent, 'cycles-elsewhere')];
  for (const folder of [path, elsewhere]) mkdirSync(folder);
  symlinkSync(elsewhere, join(path, 'cycles'));
  assert.throws(() => makeSite(path), { code: 'bad-run-folder', message: /cycles is a link/ });
});

test('where the site is published is kept for the cycles to come', async () => {
  const path = site('published');
  keepSiteUrl(path, siteUrl('https://example.org/coexist'));
  await done(path);
  await writeSite(path);
  assert.match(
    readFileSync(join(path, 'feed.xml'), 'utf8'),
    /<link>https:\/\/example\.org\/coexist\/cycles\/0001\/report\.html<\/link>/,
  );
  writeFileSync(join(path, 'site.json'), 'no JSON');
  await writeSite(path);
  assert.match(readFileSync(join(path, 'feed.xml'), 'utf8'), /<link>cycles\/0001\/report\.html<\/link>/);
  for (const wrong of [
    'example.org',
    'ftp://example.org/',
    'https://example.org/?a=b',
    'https://example.org?',
    'https://example.org/#',
  ])
    assert.throws(() => siteUrl(wrong), {
      code: 'usage',
      message: `--site-url ${wrong}: this is no address of a site`,
    });
  for (const secret of ['https://me:secret@example.org/', 'https://me@example.org/'])
    assert.throws(() => siteUrl(secret), { code: 'usage', message: /^--site-url has a user name or password/ });
  writeFileSync(join(path, 'site.json'), '{"url":"https://me:secret@example.org/"}');
  await writeSite(path);
  assert.ok(!readFileSync(join(path, 'feed.xml'), 'utf8').includes('secret'));
});

test('a folder that holds something else is refused', () => {
  const path = join(parent, 'other');
  mkdirSync(path);
  writeFileSync(join(path, 'letter.txt'), '');
  assert.throws(() => makeSite(path), { code: 'usage', message: /is not empty$/ });
});

test('a site of an earlier version, which listed no cycles, has those with a report', async () => {
  const path = site('earlier');
  await done(path);
  await done(path);
  const half = await open(path);
  half.folder.release();
  for (const earlier of ['{"url":"https://example.org/"}', undefined]) {
    if (earlier === undefined) rmSync(join(path, 'site.json'));
    else writeFileSync(join(path, 'site.json'), earlier);
    assert.deepEqual(
      completeCycles(path).map(({ name }) => name),
      ['0001', '0002'],
    );
    assert.equal(lastCycle(path), half.folder.path);
  }
});
