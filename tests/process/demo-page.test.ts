/** The page with the controls of the demonstration in a real browser, without a demonstration: nothing is cut off. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { DemoValues } from '../../client/demo/wire.ts';
import { until } from '../../core/system/deadline.ts';
import { localHost } from '../../core/system/local-host.ts';
import type { Change } from '../../harness/demo/messages.ts';
import { PageServer } from '../../harness/demo/page-server.ts';
import { controlsOf, readyFlood, type Settings } from '../../harness/demo/settings.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { type BrowserWindow, openBrowser } from '../../harness/trial/browser/launch.ts';

/** Half of the screens that people have: the controls stand below the two pictures. */
const sizes = [
  [1280, 512],
  [1366, 384],
  [1920, 540],
] as const;

const settings: Settings = {
  flood: 'none',
  flows: 1,
  rateBps: 10e6,
  queue: { unit: 'packets', value: 1000 },
  lossRatio: 0,
};
const kinds = ['BBRv3', 'BBRv1', 'CUBIC', 'Reno'].map(label => ({ name: label.toLowerCase(), label, obstacle: null }));
const state = {
  type: 'state',
  link: '10 Mbit/s, queue of 1000 packets (1.2 s), no loss',
  flood: 'CUBIC, 1 flow',
  counted: 'Bit rates count what left the bottleneck.',
  rule: [],
  controls: controlsOf(settings, settings, kinds),
  ready: readyFlood(settings, 'cubic', kinds),
  changing: false,
  refusal: null,
} as const;
/** As wide as they get. */
const values: DemoValues = {
  type: 'values',
  timeMs: 1000,
  sentence: 'This machine, not the link: blurred, very jerky: 12.3 frames per second, 1234 ms round trip',
  unharmedSentence: '30.0 frames per second',
  rating: 'machine',
  framesPerSecond: 123.4,
  unharmedFramesPerSecond: 123.4,
  subjectBps: 12.3e6,
  othersBps: 9.9e6,
  rttMs: 1234,
  queuePackets: 1000,
  queueMs: 1200,
  longestGapMs: 1234,
  stallMs: 200,
  stalls: { count: 123, totalMs: 123_400 },
  freezes: { count: 123, totalMs: 123_400 },
  interruptions: null,
  hostNotice: null,
};

/** Words of what is cut off or lies outside of its box, for the page. */
const cutOff = `[...document.querySelectorAll('figcaption, figcaption *, legend, .choices span, #counts *, #switch, #theme, #sentence')]
  .filter(element => {
    const own = element.getBoundingClientRect();
    const box = (element.closest('figure, fieldset') ?? document.body).getBoundingClientRect();
    return element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && getComputedStyle(element).display !== 'inline'
      || own.right > box.right + 1 || own.left < box.left - 1;
  })
  .map(element => element.textContent)`;

const scratch = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
let browser: BrowserWindow;
let server: PageServer;

describe('the page of the demonstration', () => {
  before(async () => {
    server = await PageServer.listen();
    browser = await openBrowser({
      executable: findBrowser(),
      host: localHost,
      scratch,
      headed: false,
      width: 1280,
      height: 512,
    });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  test('headings, values and buttons fit windows of 1280 pixels and more', async () => {
    server.tell(state);
    for (let k = 0; k < 3; k++) server.tell({ ...values, timeMs: 1000 + 250 * k });
    for (const [width, height] of sizes) {
      await browser.page.setViewportSize({ width, height });
      await browser.page.goto(server.url);
      await browser.page.locator('#sentence', { hasText: 'frames per second' }).waitFor({ timeout: 20_000 });
      assert.deepEqual(await browser.page.evaluate<string[]>(cutOff), [], `${width}x${height}`);
    }
  });

  test('the one button asks for the flood that is ready, and then for its end', async () => {
    const asked: Change[] = [];
    server.onChange = change => asked.push(change);
    server.tell(state);
    await browser.page.goto(server.url);
    const button = browser.page.locator('#switch');
    await button.filter({ hasText: 'Start the flood: CUBIC' }).click();
    server.tell({ ...state, ready: readyFlood({ ...settings, flood: 'cubic' }, 'cubic', kinds) });
    await button.filter({ hasText: 'Stop the flood' }).click();
    await until(() => (asked.length === 2 ? true : undefined), 10_000, 'both wishes');
    assert.deepEqual(
      asked.map(({ setting, value }) => [setting, value]),
      [
        ['flood', 'cubic'],
        ['flood', 'none'],
      ],
    );
  });
});
