/** `npm run site`: the site of docs/results, its links, feed and data, and its pages in a real Chromium from disk. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { type Browser, chromium, type Page } from 'playwright-core';
import { command } from '../../harness/cli/site.ts';
import { loadPages, loadPaperClaims } from '../../harness/documents/results/load.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { parseMarkup } from '../../reports/markup.ts';
import { sharedStart } from '../unit/support/shared-start.ts';

const siteUrl = 'https://example.org/results/';
const [claims, pages] = [await loadPaperClaims(), await loadPages()];

describe('the site of the results', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coexist-results-site-'));
  const site = join(scratch, 'site');
  const errors: string[] = [];
  let browser: Browser;
  let page: Page;
  const read = (path: string) => readFileSync(join(site, path), 'utf8');
  const urlOf = (path: string) => pathToFileURL(join(site, path)).href;

  after(() => rmSync(scratch, { recursive: true, force: true }));
  sharedStart(
    async () => {
      assert.equal(await command(['--out', site, '--site-url', siteUrl]), 0);
      browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
      page = await browser.newPage();
      page.on('pageerror', error => errors.push(error.message));
      page.on('console', message => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('request', request => {
        if (!/^(?:file|data):/.test(request.url())) errors.push(`it asked for ${request.url()}`);
      });
    },
    () => browser?.close(),
  );

  test('every page of docs/results is there, and every link leads to a file and to an id of it', () => {
    const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.html'));
    for (const name of pages.keys()) assert.ok(files.includes(`${name}.html`), name);
    const broken = files.flatMap(file =>
      [...read(file).matchAll(/<a href="([^"]+)"/g)].flatMap(([, href]) => {
        if (/^https?:/.test(href!)) return [];
        const [path = '', id] = href!.split('#');
        const to = path === '' ? file : normalize(join(dirname(file), path));
        if (!existsSync(join(site, to))) return [`${file}: ${href}`];
        return id === undefined || read(to).includes(` id="${id}"`) ? [] : [`${file}: ${href}`];
      }),
    );
    assert.deepEqual(broken, []);
    assert.doesNotMatch(files.map(read).join(''), /<!-- /, 'a comment of the Markdown');
    assert.match(read('shapers.html'), /<small>Media goodput, 1 × BBRv3 \(draft-ietf-ccwg-bbr\)<\/small><br><img /);
  });

  test('each claim has an address of its own, which the browser finds', async () => {
    const ids = [...read('index.html').matchAll(/<td id="([^"]+)"><a href="#\1">/g)].map(([, id]) => id!);
    assert.equal(ids.length, claims.length);
    assert.equal(new Set(ids).size, claims.length);
    const id = 'juntima-table-1-figure-4';
    await page.goto(`${urlOf('index.html')}#${id}`);
    assert.match((await page.locator(':target').textContent())!, /^Table 1, Figure 4$/);
  });

  test('the feed is Atom with an entry for each page that tells its day, the newest first', () => {
    const feed = read('feed.atom');
    const { documentElement } = parseMarkup(feed.replace(/^<\?xml.*?\?>/, '')) as unknown as {
      documentElement: { querySelectorAll(selector: string): ArrayLike<{ textContent: string }> };
    };
    const entries = documentElement.querySelectorAll('entry');
    assert.equal(entries.length, [...pages.values()].filter(({ measured }) => measured !== null).length);
    const ids = [...feed.matchAll(/<id>(urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})<\/id>/g)];
    assert.equal(new Set(ids.map(([, id]) => id)).size, entries.length + 1);
    const days = [...feed.matchAll(/<updated>(.*?)<\/updated>/g)].slice(1).map(([, day]) => day!);
    assert.deepEqual(days, days.toSorted().reverse());
    assert.ok(feed.includes(`<link href="${siteUrl}bbr-flood.html"/>`));
    assert.ok(feed.includes(`<link rel="self" href="${siteUrl}feed.atom"/>`));
  });

  test('the data have the claims and the cells of the pages, and a dictionary of every column', async () => {
    const compressors = { GZIP: (input: Uint8Array) => new Uint8Array(gunzipSync(input)) };
    const rowsOf = async (id: string): Promise<Record<string, unknown>[]> => {
      const bytes = readFileSync(join(site, `data/${id}.parquet`));
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
      return parquetReadObjects({ file, compressors });
    };
    const told = await rowsOf('claims');
    assert.deepEqual(
      told.map(({ verdict }) => verdict),
      claims.map(({ verdict }) => verdict),
    );
    const values = await rowsOf('values');
    assert.deepEqual(
      values.find(
        row =>
          row['page'] === 'bbr-flood' &&
          row['row'] === 'Media goodput' &&
          row['column'] === 'Wired attack<br>1 × BBRv3 (draft-ietf-ccwg-bbr)',
      ),
      {
        ...{ page: 'bbr-flood', section: 'Table 1', first: '', row: 'Media goodput' },
        column: 'Wired attack<br>1 × BBRv3 (draft-ietf-ccwg-bbr)',
        ...{ text: '7.38 Mbit/s<br>\\[7.29, 7.39\\]', value: 7.38, unit: 'Mbit/s', low: 7.29, high: 7.39 },
      },
    );
    assert.equal((await rowsOf('pages')).length, pages.size);
    const offered = [...read('data/index.html').matchAll(/<a href="([^"]+)">(?:Parquet|CSV)<\/a>/g)];
    assert.equal(offered.length, 6, 'two files of each of three tables');
    for (const [, file] of offered) assert.ok(existsSync(join(site, 'data', file!)), file);
    for (const table of [told, values])
      for (const column of Object.keys(table[0]!))
        assert.ok(read('data/index.html').includes(`<td>${column}</td>`), column);
  });

  for (const width of [420, 1300]) {
    for (const path of ['index.html', 'bbr-flood.html', 'quic-loss.html', 'data/index.html']) {
      test(`${path} at ${width} px: nothing is wider than the page, and every figure is there`, async () => {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(urlOf(path));
        const [scrolled, shown, missing] = await page.evaluate<[number, number, number]>(
          `[document.documentElement.scrollWidth, document.documentElement.clientWidth,
            [...document.images].filter(image => image.naturalWidth === 0).length]`,
        );
        assert.ok(scrolled <= shown, `${scrolled} px in ${shown} px`);
        assert.equal(missing, 0);
      });
    }
  }

  test('from the claims to a page, to the data, and back', async () => {
    await page.goto(urlOf('index.html'));
    await page.getByRole('link', { name: 'bbr-flood', exact: true }).first().click();
    assert.match(page.url(), /\/bbr-flood\.html$/);
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    assert.match(page.url(), /\/data\/index\.html$/);
    await page.getByRole('link', { name: 'Claims and pages' }).click();
    assert.match(page.url(), /\/index\.html$/);
  });

  test('a folder with other files is refused', async () => {
    const other = mkdtempSync(join(scratch, 'other-'));
    writeFileSync(join(other, 'thesis.txt'), '');
    await assert.rejects(command(['--out', other]), { code: 'usage', message: /other files than those of a site$/ });
    assert.deepEqual(readdirSync(other), ['thesis.txt']);
  });

  test('nothing failed, and nothing was asked of the network', () => assert.deepEqual(errors, []));
});
