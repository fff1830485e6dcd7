/** The site of a pairwise study in a real Chromium: narrow, wide and on paper, from disk. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { renderSite } from '../../reports/pairs/site/site.ts';
import { contestant, plan } from '../unit/harness/studies/pairs/support/study.ts';
import { siteCycles } from '../unit/reports/pairs/support.ts';
import { sharedStart } from '../unit/support/shared-start.ts';

const names = ['live-clip', 'chromium-call', 'iperf-bbr', 'iperf-cubic', 'batch-download', 'download-cubic-45'];
const titles: Record<string, string> = {
  'chromium-call': 'Chromium call, 1.5 Mbit/s, with a long title that nobody shortened',
  'download-cubic-45': 'Download-with-a-word-that-has-no-place-to-break-in-it',
};
const contestants = names.map(name => ({ ...contestant(name), title: titles[name] ?? contestant(name).title }));

/** Throughputs that differ from cell to cell and from cycle to cycle, Mbit/s. */
const cycles = siteCycles(
  Array.from({ length: 14 }, (_, cycle) => {
    const of = plan(contestants, { links: ['8mbit', '50mbit'] });
    return {
      plan: of,
      kernel: cycle < 13 ? '6.18' : '6.19',
      rates: Object.fromEntries(
        of.cells.map(({ id, link, sides }, k) => {
          const [rate, first] = [Number.parseFloat(link), 0.2 + ((k * 7 + cycle * 3) % 11) / 20];
          return [id, sides.length === 1 ? [rate * 0.97] : [rate * first, rate * (0.97 - first)]];
        }),
      ),
    };
  }),
);

describe('the site of a pairwise study in the browser', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coexist-site-'));
  const pages = ['index.html', 'pairs/8mbit-chromium-call-and-download-cubic-45.html', 'services/chromium-call.html'];
  const errors: string[] = [];
  let browser: Browser;
  let page: Page;

  after(() => rmSync(scratch, { recursive: true, force: true }));
  sharedStart(
    async () => {
      for (const { path, text } of await renderSite({ title: '6 services', cycles, underWay: null, url: null })) {
        mkdirSync(dirname(join(scratch, path)), { recursive: true });
        writeFileSync(join(scratch, path), text);
      }
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

  for (const width of [390, 1400]) {
    for (const path of pages) {
      test(`${path} at ${width} px: nothing is wider than the page`, async () => {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(pathToFileURL(join(scratch, path)).href);
        const [scrolled, shown] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        );
        assert.ok(scrolled <= shown, `${scrolled} px in ${shown} px`);
      });
    }
  }

  test('from the landing page to a pair, to its service, and back', async () => {
    await page.goto(pathToFileURL(join(scratch, 'index.html')).href);
    await page.locator('#matrix .heat a').first().click();
    assert.match(page.url(), /\/pairs\/8mbit-/);
    await page.locator('header nav a').nth(1).click();
    assert.match(page.url(), /\/services\//);
    await page.locator('header nav a').first().click();
    assert.match(page.url(), /\/index\.html$/);
  });

  test('it can be printed', async () => {
    const pdf = await page.pdf();
    assert.ok(pdf.length > 20_000, String(pdf.length));
  });

  test('nothing failed, and nothing was asked of the network', () => assert.deepEqual(errors, []));
});
