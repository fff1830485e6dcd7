/** Pages that take memory or open windows without end, and the sandbox of a browser without Playwright. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sleep, until } from '../../core/system/deadline.ts';
import { localHost } from '../../core/system/local-host.ts';
import { openBareBrowser } from '../../harness/trial/browser/bare.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { endsWith, limits, openSmall, sandboxed, scratch, skip } from '../e2e/support/small-browser.ts';

const greedy =
  'data:text/html,<script>const all = []; setInterval(() => all.push(new Uint8Array(2 ** 25).fill(1)), 50)</script>';
const tooMuch = {
  code: 'browser-died',
  message:
    /^the browser took (\d+\.\d GiB of memory, and may have 0\.6 GiB|all of the 0\.6 GiB of memory that it may have)$/,
};

describe('a browser in its sandbox', { skip }, () => {
  test('a page that takes memory without end ends its browser, with that reason', async () => {
    const options = { executable: findBrowser(), host: localHost, scratch, width: 640, height: 360, limits };
    const { page, died, close } = await openSmall({ limits });
    void page.goto(greedy).catch(() => {});
    await endsWith(died, close, tooMuch);
    const bare = await openBareBrowser(options);
    const barePage = await bare.newPage();
    void barePage.goTo(greedy, 'the page', 30_000).catch(() => {});
    await endsWith(bare.died, () => bare.close(), tooMuch);
  });

  test('a page opens no windows by itself; those of one that somehow does are closed, and too many end its browser', async () => {
    const { page, died, close } = await openSmall({ limits });
    await page.goto('data:text/html,<script>setInterval(() => open("about:blank"), 10)</script>');
    await sleep(500);
    assert.equal(page.context().pages().length, 1);
    await page.goto('data:text/html,<p>Nothing</p>');
    // as if the viewer had asked for it
    const open = () => page.evaluate('void open("about:blank")').catch(() => {});
    const opened = page.waitForEvent('popup', { timeout: 30_000 });
    await open();
    await opened;
    await until(() => (page.context().pages().length === 1 ? true : undefined), 30_000, 'the window to be closed');
    for (let k = 0; k < 6; k++) {
      await open(); // one at a time: a gesture opens one window
      await sleep(200);
    }
    await endsWith(died, close, { code: 'browser-died', message: 'the page opened 4 windows, and may open 3' });
  });

  test('so it is for one without Playwright', async () => {
    const browser = await openBareBrowser({
      executable: findBrowser(),
      host: localHost,
      scratch,
      width: 640,
      height: 360,
    });
    try {
      const page = await browser.newPage();
      await page.goTo('chrome://sandbox', 'the page', 30_000);
      await until(
        async () =>
          (await page.ask<string[]>(sandboxed)).some(
            row => row === `Layer 1 Sandbox ${browser.confinement.hasChromiumSandbox ? 'Namespace' : 'None'}`,
          )
            ? true
            : undefined,
        30_000,
        'the page to say so',
      );
    } finally {
      await browser.close();
    }
  });
});
