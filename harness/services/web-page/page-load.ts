/** One load of a page in a fresh browser: without cache, cookies or open connections. */

import { CoexistError } from '../../../core/errors.ts';
import { sleep, within } from '../../../core/system/deadline.ts';
import type { PageLoad } from '../../record/series/service.ts';
import { type BareBrowser, type BarePage, openBareBrowser } from '../../trial/browser/bare.ts';
import type { BrowserOptions } from '../../trial/browser/launch.ts';
import { checkedTiming, Screenshots } from './reading.ts';
import { visualProgress } from './visual-progress.ts';

/** Visible part of the page without scrolling, pixels. */
export const view = { width: 1280, height: 720 };
/** Time after the load event in which the page may still be painted, ms. */
const settleMs = 1000;
/** Size of the screenshots, pixels. A cell is five pixels wide and high. */
const cast = { format: 'png', maxWidth: 480, maxHeight: 270, everyNthFrame: 1 };

type Place = Pick<BrowserOptions, 'executable' | 'host' | 'scratch'>;

type LoadOptions = Place & {
  url: string;
  /** Number of the load in the trial, from 1. */
  number: number;
  /** Longest wait for the page to load, ms. */
  patienceMs: number;
  signal: AbortSignal;
  /** Called when the navigation of the browser begins. */
  onBegin(): void;
  /** Called when the page has loaded. Its screenshots are evaluated after that. */
  onLoaded(): void;
};

/** Expression that returns the browser's timing of the load (reading.ts). */
const readTiming = `(() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const [paint] = performance.getEntriesByName('first-contentful-paint', 'paint');
  const bytes = [navigation, ...performance.getEntriesByType('resource')].reduce((sum, entry) => sum + entry.transferSize, 0);
  return { originMs: performance.timeOrigin, loadMs: navigation.loadEventEnd, firstContentMs: paint?.startTime ?? null, bytes };
})()`;

/**
 * Takes a screenshot whenever the look of the page changes. `failed` rejects if the browser sends an invalid
 * screenshot.
 */
async function castOf(
  { devtools, session }: BarePage,
  name: string,
): Promise<{ screenshots: Screenshots; failed: Promise<never> }> {
  const screenshots = new Screenshots(name);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {}); // reported by the code that awaits the load
  devtools.on('Page.screencastFrame', session, told => {
    try {
      const sessionId = screenshots.add(told);
      devtools.send('Page.screencastFrameAck', { sessionId }, session).catch(() => {}); // the page is closing
    } catch (error) {
      reject(error);
    }
  });
  await devtools.send('Page.enable', {}, session);
  await devtools.send('Page.startScreencast', cast, session);
  return { screenshots, failed };
}

/** Returns the values of a load that did not finish. */
export const noLoad = (number: number): PageLoad => ({
  number,
  loadMs: null,
  firstContentMs: null,
  aboveTheFoldMs: null,
  speedIndexMs: null,
  bytes: 0,
});

async function measure(browser: BareBrowser, options: LoadOptions): Promise<PageLoad> {
  const name = `web-page's page on ${options.host.name}`;
  const page = await browser.newPage();
  const { screenshots, failed } = await castOf(page, name);
  return Promise.race([failed, measureIn(page, name, screenshots, options)]);
}

async function measureIn(
  page: BarePage,
  name: string,
  screenshots: Screenshots,
  { url, number, patienceMs, signal, onBegin, onLoaded }: LoadOptions,
): Promise<PageLoad> {
  const loaded = new Promise<void>(resolve => page.devtools.on('Page.loadEventFired', page.session, () => resolve()));
  onBegin();
  try {
    // the first answer and the whole page share one deadline
    await within(
      page.goTo(url, 'the web page', patienceMs).then(() => loaded),
      patienceMs,
      'the web page to load',
      { code: 'service-failed', signal },
    );
  } catch (error) {
    if (signal.aborted || !(error instanceof CoexistError)) throw error;
    return noLoad(number);
  }
  onLoaded();
  await sleep(settleMs, signal);
  const { originMs, loadMs, firstContentMs, bytes } = checkedTiming(await page.askIsolated(readTiming), name);
  const progress = visualProgress(await screenshots.looks(originMs));
  return {
    number,
    loadMs,
    firstContentMs,
    aboveTheFoldMs: progress?.aboveTheFoldMs ?? null,
    speedIndexMs: progress?.speedIndexMs ?? null,
    bytes,
  };
}

/**
 * Loads a page. The result has no times if the page cannot be opened or does not finish. Throws if the browser itself
 * fails.
 */
export async function loadPage(options: LoadOptions): Promise<PageLoad> {
  const { executable, host, scratch } = options;
  const browser = await openBareBrowser({ executable, host, scratch, ...view });
  try {
    const load = measure(browser, options);
    load.catch(() => {});
    return await Promise.race([browser.died, load]);
  } finally {
    await browser.close();
  }
}
