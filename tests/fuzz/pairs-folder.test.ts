/**
 * Whatever stands in the folder of a pairwise study that goes on for ever: its site is made of it, inside of the folder
 * and with numbers for numbers, or it is refused in a line.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { keepCycle, keepSiteUrl, makeSite, openCycle } from '../../harness/record/cycles.ts';
import { finishCycle } from '../../harness/studies/pairs/cycle.ts';
import { plugin } from '../../harness/studies/pairs/index.ts';
import type { PairsSummary } from '../../harness/studies/pairs/summary.ts';
import type { StudyKind } from '../../harness/studies/study.ts';
import { writeSite } from '../../harness/studies/watch.ts';
import { contestant, plan, trials } from '../unit/harness/studies/pairs/support/study.ts';
import { versions } from '../unit/harness/support/run-folder.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261127;
const parent = mkdtempSync(join(tmpdir(), 'coexist-fuzz-'));
after(() => rmSync(parent, { recursive: true, force: true }));
const site = join(parent, 'deep/site');
mkdirSync(join(parent, 'deep'));
makeSite(site);

const matrix = plan([contestant('one'), contestant('two')], { run: { stopping: 'fixed', repeats: 6, soloRepeats: 1 } });
for (const rate of [4, 2]) {
  const { name, folder } = await openCycle(site, matrix, async () => ({ versions, files: {} }), { again: 'x' });
  for (const { id, sides } of matrix.cells) {
    const rates = Array.from({ length: sides.length === 2 ? 6 : 1 }, (_, k) => sides.map(() => rate + k / 100));
    for (const { file } of trials(matrix, id, rates)) folder.commit(folder.begin(file.trial.id), file);
  }
  await finishCycle(folder, matrix, new Map());
  folder.release();
  keepCycle(site, name);
}

const summaryPath = join(site, 'cycles/0002/summary.json');
const honest = readFileSync(summaryPath, 'utf8');
const summary = JSON.parse(honest) as PairsSummary;
const made = ['index.html', 'feed.xml', 'pairs', 'services'];
const top = ['cycles', 'site.json', ...made].sort();

/** Makes the site anew; its pages and its feed where it could be made. */
async function pages(): Promise<string[] | undefined> {
  for (const name of made) rmSync(join(site, name), { recursive: true, force: true });
  try {
    await writeSite(site, { kind: plugin as StudyKind, plan: matrix }, null);
  } catch (error) {
    assert.ok(error instanceof CoexistError && error.code === 'bad-run-folder', (error as Error).stack);
    assert.ok(!error.message.includes('\n') && error.message.length < 1000, error.message);
    return undefined;
  } finally {
    assert.deepEqual([readdirSync(parent), readdirSync(join(parent, 'deep'))], [['deep'], ['site']]);
    assert.ok(readdirSync(site).every(name => top.includes(name)));
  }
  return readdirSync(site, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !`${entry.parentPath}/`.startsWith(join(site, 'cycles/')))
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

/** One of the parts that pages show is something else. */
type Part = { [key: string]: unknown };
const one = <T extends object>(list: readonly T[], k: number, change: Part) =>
  list.map((each, at) => (at === k % list.length ? { ...each, ...change } : each));
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', '../x', 'a/b', '.', 5, -1, 1e308, [], {}, '__proto__', 'n'.repeat(300), 'a\nb'),
  fc.jsonValue({ maxDepth: 1 }),
);
const parts = fc
  .tuple(
    fc.constantFrom('contestants', 'links', 'cells', 'trials', 'quantities', 'sides', 'values', 'estimate'),
    fc.nat(20),
    fc.constantFrom(
      'id',
      'name',
      'title',
      'models',
      'service',
      'losers',
      'link',
      'reason',
      'trials',
      'utilisation',
      'sides',
    ),
    fc.constantFrom(
      'share',
      'throughput',
      'value',
      'low',
      'high',
      'n',
      'contestant',
      'values',
      'verdict',
      'cell',
      'unit',
    ),
    odd,
  )
  .map(([list, k, key, other, value]): Part => {
    if (list !== 'sides' && list !== 'values' && list !== 'estimate')
      return { ...summary, [list]: one(summary[list as 'cells'], k, { [k % 2 === 0 ? key : other]: value }) };
    const side = (given: PairsSummary['cells'][number]['sides'][number]) => {
      if (list === 'sides') return { ...given, [other]: value };
      if (list === 'values') return { ...given, values: { ...given.values, [other]: value } };
      return { ...given, values: { ...given.values, share: { ...given.values['share'], [other]: value } } };
    };
    const cell = summary.cells[k % summary.cells.length]!;
    return { ...summary, cells: one(summary.cells, k, { sides: cell.sides.map(side) }) };
  });
const texts = fc.oneof(
  { weight: 4, arbitrary: changed<unknown>([summary]).map(value => JSON.stringify(value)) },
  { weight: 6, arbitrary: parts.map(value => JSON.stringify(value)) },
  { weight: 1, arbitrary: damaged([Buffer.from(honest)]).map(bytes => bytes.toString('latin1')) },
  {
    weight: 1,
    arbitrary: fc
      .nat(9000)
      .map(depth => honest.replace('"params": {}', `"params": ${'['.repeat(depth)}${']'.repeat(depth)}`)),
  },
);

test('summaries', async () => {
  keepSiteUrl(site, 'https://example.org/');
  const usual = await pages();
  assert.ok(usual !== undefined && usual.length === 10, `${usual?.length} files`);
  const seen = { made: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(texts, async text => {
      writeFileSync(summaryPath, text);
      const files = await pages();
      if (files === undefined) return void seen.refused++;
      seen.made++;
      for (const file of files)
        assert.doesNotMatch(
          file.replace(/<(style|script)[^]*?<\/\1>/g, ''),
          /\b(?:NaN|undefined|Infinity)\b|\[object \w+\]/,
        );
    }),
    effort(seed, 40),
  );
  writeFileSync(summaryPath, honest);
  assert.ok(seen.made > 3 && seen.refused > 3, JSON.stringify(seen));
});

test('addresses of the site', async () => {
  const kept = fc.oneof(
    changed<unknown>([{ url: 'https://example.org/' }]).map(value => JSON.stringify(value)),
    fc.webUrl({ withQueryParameters: true, withFragments: true }).map(url => JSON.stringify({ url })),
    fc
      .constantFrom('https://me:secret@example.org/', 'javascript:x', 'file:///etc', '//x')
      .map(url => JSON.stringify({ url })),
    damaged([Buffer.from('{"url":"https://example.org/"}')]).map(bytes => bytes.toString('latin1')),
    anyBytes(30).map(bytes => bytes.toString('latin1')),
  );
  await fc.assert(
    fc.asyncProperty(kept, async text => {
      writeFileSync(join(site, 'site.json'), text);
      const files = await pages();
      assert.ok(files !== undefined, 'a study goes on without it');
      const feed = files.find(file => file.startsWith('<?xml'))!;
      const link = /<link>([^<]*)index\.html<\/link>/.exec(feed)?.[1];
      assert.match(link!, /^(?:https?:\/\/[^@?#]*\/)?$/);
    }),
    effort(seed, 10),
  );
});
