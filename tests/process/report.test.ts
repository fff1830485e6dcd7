/** The report in a real Chromium: opening trials, zooming, keys, colours, print, and what is left without scripts. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { until } from '../../core/system/deadline.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { planOf } from '../unit/harness/support/plan.ts';
import { conditions, fullRun, renderRun } from '../unit/reports/support/run.ts';
import { stopped } from '../unit/reports/support/stopped.ts';
import { sharedStart } from '../unit/support/shared-start.ts';

describe('a report in the browser', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coexist-report-'));
  const file = join(scratch, 'report.html');
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  after(() => rmSync(scratch, { recursive: true, force: true }));
  sharedStart(
    async () => {
      writeFileSync(file, (await fullRun(scratch)).page);
      browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
      page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
      page.on('pageerror', error => errors.push(error.message));
      page.on('request', request => {
        if (!request.url().startsWith('file:') && !request.url().startsWith('data:'))
          errors.push(`it asked for ${request.url()}`);
      });
      await page.goto(pathToFileURL(file).href);
    },
    () => browser?.close(),
  );

  const detail = () => page.locator('#trial-table tr.detail');

  test('a trial opens to its charts, readings and metrics, and closes', async () => {
    await page.locator('#trial-table a').nth(1).click();
    assert.match(await detail().locator('h3').innerText(), /Wired, repeat 1/);
    assert.equal(await detail().locator('canvas').count(), 3);
    await detail().getByText('Every metric').click();
    assert.match(await detail().locator('details table').last().innerText(), /Stalled time\s+0\.45 s/);
    await page.locator('#trial-table a').nth(1).click();
    assert.equal(await detail().count(), 0);
  });

  test('arrow keys go from trial to trial, Escape closes, an address opens', async () => {
    await page.locator('#trial-table a').first().press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.match(await detail().locator('h3').innerText(), /Lossy, repeat 1/);
    await page.keyboard.press('ArrowUp');
    assert.match(await detail().locator('h3').innerText(), /Wired, repeat 1/);
    await page.keyboard.press('Escape');
    assert.equal(await detail().count(), 0);
    await page.evaluate('location.hash = "#trial-0005-wired.void1"');
    await detail().waitFor();
    assert.match(await detail().innerText(), /void: the machine was 99 % busy/);
  });

  test('a pointer on a stall tells of it; a drag zooms, and so do the keys', async () => {
    const chart = page.locator('#frame-rate-series .chart');
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('canvas').waitFor();
    const box = (await chart.locator('.u-over').boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.42, box.y + box.height / 2); // 4.2 s of 10 s
    assert.match(await chart.locator('.told').innerText(), /Alone, repeat 1: stall of 300 ms/);
    const shown = async () => await chart.locator('.u-legend .u-value').first().innerText();
    await page.mouse.move(box.x + 2, box.y + 20);
    const first = await shown();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + 20);
    await page.mouse.up();
    await page.mouse.move(box.x + 2, box.y + 20);
    assert.ok(Number(await shown()) > Number(first) + 3, `${first} -> ${await shown()}`);
    await chart.focus();
    await page.keyboard.press('Escape');
    await page.mouse.move(box.x + 3, box.y + 21);
    assert.equal(await shown(), first);
  });

  test('a stop of the link is a grey band that the pointer tells of, however short it is', async () => {
    const plan = planOf({ conditions: { wired: conditions.wired }, run: { window: '10s' } });
    const own = join(scratch, 'stopped.html');
    writeFileSync(own, (await renderRun(scratch, 'stopped', plan, [stopped(2)])).page);
    const other = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    await other.goto(pathToFileURL(own).href);
    const chart = other.locator('#rtt-series .chart');
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('canvas').waitFor();
    const box = (await chart.locator('.u-over').boundingBox())!;
    const at = (seconds: number) => box.x + (box.width * seconds) / 9.8; // the last probe was sent then
    await other.mouse.move(at(1), box.y + box.height / 2);
    assert.equal(await chart.locator('.told').innerText(), 'the link stood still for 2 ms');
    await other.mouse.move(at(3), box.y + box.height / 2);
    assert.equal(await chart.locator('.told').innerText(), '');
    // pixels that are filled in a row without lines and grid, between half a second and one and a half
    const canvas = (await chart.locator('canvas').boundingBox())!;
    const [from, to] = [at(0.5) - canvas.x, at(1.5) - canvas.x].map(Math.round);
    const row = Math.round(box.y + box.height * 0.93 - canvas.y);
    const alphas = await other.evaluate<number[]>(
      `[...document.querySelector('#rtt-series canvas').getContext('2d')
        .getImageData(${from}, ${row}, ${to! - from!}, 1).data].filter((_, i) => i % 4 === 3)`,
    );
    const filled = alphas.filter(alpha => alpha > 100).length;
    assert.ok(filled >= 1 && filled <= 5, `${filled} pixels: ${alphas.join(' ')}`);
    await other.close();
  });

  test('a legend has names alone until the pointer gives it values', async () => {
    const chart = page.locator('#rtt-series .chart');
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('canvas').waitFor();
    const legend = () =>
      chart.locator('.u-legend').evaluate((element: { querySelector(selector: string): unknown }) => {
        const styleOf = (
          globalThis as unknown as { getComputedStyle(of: unknown, part?: string): { visibility: string } }
        ).getComputedStyle;
        return {
          colon: styleOf(element.querySelector('.u-series:nth-child(2) th'), '::after').visibility,
          place: styleOf(element.querySelector('.u-series:first-child')).visibility,
        };
      });
    await page.mouse.move(0, 0);
    assert.deepEqual(await legend(), { colon: 'hidden', place: 'hidden' });
    const box = (await chart.locator('.u-over').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    assert.deepEqual(await legend(), { colon: 'visible', place: 'visible' });
    await page.mouse.move(0, 0);
    assert.deepEqual(await legend(), { colon: 'hidden', place: 'hidden' });
  });

  test('on a narrow screen the switch of the colours stands above the title', async () => {
    // both at one moment: the page may scroll while its size changes, and that takes effect a little later
    const edges = () =>
      page.evaluate<{ button: { top: number; bottom: number }; title: { top: number } }>(
        `({ button: document.querySelector('#theme').getBoundingClientRect().toJSON(),
            title: document.querySelector('h1').getBoundingClientRect().toJSON() })`,
      );
    const come = (what: string, holds: (now: Awaited<ReturnType<typeof edges>>) => boolean) =>
      until(async () => holds(await edges()) || undefined, 5000, what);
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 800 });
    await come('the switch to stand above the title', ({ button, title }) => button.bottom <= title.top);
    await page.setViewportSize(wide);
    await come('the switch to stand beside the title', ({ button, title }) => button.top + 10 > title.top);
  });

  test("the switch goes from the system's colours to dark and light, charts and all", async () => {
    const back = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const seen = [await back()];
    for (let i = 0; i < 3; i++) {
      await page.locator('#theme').click();
      seen.push(await back());
    }
    assert.deepEqual(seen, ['rgb(255, 255, 255)', 'rgb(20, 24, 31)', 'rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await back(), 'rgb(20, 24, 31)');
    await page.emulateMedia({ colorScheme: 'light' });
    assert.ok((await page.locator('.chart canvas').count()) > 0);
  });

  test('the first thing that Tab reaches leads to the result', async () => {
    await page.goto(pathToFileURL(file).href);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'report');
  });

  test('print has every chart, and nothing that cannot be used on paper', async () => {
    const pdf = await page.pdf();
    assert.ok(pdf.length > 50_000, String(pdf.length));
    assert.equal(await page.locator('main > section > figure .chart:not(:has(canvas))').count(), 0);
  });

  test('paper cuts no table, however many conditions there are', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, k) => [`beside-${k}`, { title: `Beside CUBIC behind FQ-CoDel, host ${k}` }]),
    );
    const plan = planOf({ conditions: many, baseline: 'beside-0', run: { window: '10s', repeats: 2 } });
    const own = join(scratch, 'wide.html');
    const made = plan.trials.map((_, k) => ({ stallMs: 100 * (k % 5) }));
    writeFileSync(own, (await renderRun(scratch, 'wide', plan, made)).page);
    const other = await browser.newPage();
    await other.goto(pathToFileURL(own).href);
    await other.emulateMedia({ media: 'print' });
    // A4 without margins of 10 mm, upright and across, in CSS pixels
    for (const [width, pages] of [
      [718, 'auto'],
      [1047, 'wide'],
    ] as const) {
      await other.setViewportSize({ width, height: 900 });
      const tables = await other.evaluate<{ id: string; columns: number; over: number }[]>(
        `[...document.querySelectorAll('main > section')]
          .filter(section => getComputedStyle(section).page === '${pages}')
          .flatMap(section => [...section.querySelectorAll('.scroll > table')].map(table => ({
            id: section.id,
            columns: Math.max(...[...table.rows].map(row => row.cells.length)),
            over: Math.round(table.getBoundingClientRect().right) - innerWidth })))`,
      );
      assert.ok(tables.length > 1, `${tables.length} tables on pages "${pages}"`);
      assert.deepEqual(
        tables.filter(({ over }) => over > 0),
        [],
      );
      assert.equal(Math.max(...tables.map(({ columns }) => columns)) > 8, pages === 'wide');
    }
    const pdf = (await other.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
    const widths = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) /g)].map(([, points]) => Math.round(Number(points)));
    assert.deepEqual([...new Set(widths)].sort(), [596, 843]);
    await other.close();
  });

  test('nothing failed, and nothing was asked of the network', () => assert.deepEqual(errors, []));

  test('what somebody wrote into it does not run, and asks for nothing', async () => {
    const strange = join(scratch, 'strange.html');
    const planted =
      '<script>window.ran = "script"</script><img src="x:" onerror="window.ran = \'handler\'">' +
      '<a href="javascript:window.ran = \'link\'" id="planted">x</a><img src="http://192.0.2.1/tell">';
    writeFileSync(strange, readFileSync(file, 'utf8').replace('<main id="report"', `${planted}<main id="report"`));
    const context = await browser.newContext();
    const other = await context.newPage();
    const asked: string[] = [];
    other.on('response', response => {
      asked.push(response.url());
    });
    other.on('requestfailed', request => {
      if (request.failure()?.errorText !== 'csp') asked.push(request.url());
    });
    await other.goto(pathToFileURL(strange).href);
    await other.locator('#planted').click();
    assert.equal(await other.evaluate('window.ran'), undefined);
    assert.deepEqual(
      asked.filter(url => url.startsWith('http')),
      [],
    );
    assert.ok(await other.locator('#theme').isVisible(), 'its own script runs');
    await context.close();
  });

  test('a label that a spreadsheet would run is saved as text', async () => {
    const chart = {
      title: 'Payoff',
      x: { label: 'players', values: [0, 1] },
      y: { label: 'rate' },
      lines: [{ label: '=1+1', colour: 0, values: [3, 4] }],
    };
    const element = `<div class="chart"><script type="application/json">${JSON.stringify(chart)}</script></div>`;
    const own = join(scratch, 'formula.html');
    writeFileSync(own, readFileSync(file, 'utf8').replace('<main id="report"', `${element}<main id="report"`));
    const other = await browser.newPage();
    await other.goto(pathToFileURL(own).href);
    const href = await other.locator('a.csv').first().getAttribute('href');
    assert.equal(decodeURIComponent(href!), `data:text/csv;charset=utf-8,"players","'=1+1"\n0,3\n1,4\n`);
    await other.close();
  });

  test('without scripts there are still images of every series, the tables, and the files', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const still = await context.newPage();
    await still.goto(pathToFileURL(file).href);
    assert.equal(await still.locator('.chart + noscript svg').count(), await still.locator('.chart').count());
    assert.ok(await still.locator('#frame-rate-series noscript svg').isVisible());
    assert.equal(await still.locator('#trial-table tbody tr').count(), 6);
    assert.equal(await still.locator('#downloads a').count(), 5);
    assert.equal(await still.locator('#theme').isVisible(), false);
    await context.close();
  });
});
