/** One load of a page in a fresh browser: nothing is known to it, nothing kept, no connection open. */

import { CoexistError } from '../../../core/errors.ts';
import { sleep, within } from '../../../core/system/deadline.ts';
import type { PageLoad } from '../../record/series/service.ts';
import { type BareBrowser, type BarePage, openBareBrowser } from '../../trial/browser/bare.ts';
import type { BrowserOptions } from '../../trial/browser/launch.ts';
import { checkedTiming, Screenshots } from './reading.ts';
import { visualProgress } from './visual-progress.ts';

/** What is seen without scrolling, pixels. */
export const view = { width: 1280, height: 720 };
/** What is painted after the load event. */
const settleMs = 1000;
/** Size of the screenshots of the page: five pixels to a cell. */
const cast = { format: 'png', maxWidth: 480, maxHeight: 270, everyNthFrame: 1 };

type Place = Pick<BrowserOptions, 'executable' | 'host' | 'scratch'>;

type LoadOptions = Place & {
  url: string;
  /** Of the load, from 1. */
  number: number;
  /** A page that takes longer is not waited for. */
  patienceMs: number;
  /** Gives the load up. */
  signal: AbortSignal;
  /** Called when the navigation begins. */
  onBegin(): void;
  /** Called when the page has loaded; how it looked is found out afterwards. */
  onLoaded(): void;
};

/** What the browser says of the load (reading.ts). */
const readTiming = `(() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const [paint] = performance.getEntriesByName('first-contentful-paint', 'paint');
  const bytes = [navigation, ...performance.getEntriesByType('resource')].reduce((sum, entry) => sum + entry.transferSize, 0);
  return { originMs: performance.timeOrigin, loadMs: navigation.loadEventEnd, firstContentMs: paint?.startTime ?? null, bytes };
})()`;

/** Asks for screenshots of the page whenever it looks different. `failed` rejects where one cannot be such. */
async function castOf(
  { devtools, session }: BarePage,
  name: string,
): Promise<{ screenshots: Screenshots; failed: Promise<never> }> {
  const screenshots = new Screenshots(name);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {}); // whoever waits for the load is told
  devtools.on('Page.screencastFrame', session, told => {
    try {
      const sessionId = screenshots.add(told);
      devtools.send('Page.screencastFrameAck', { sessionId }, session).catch(() => {}); // it is closing
    } catch (error) {
      reject(error);
    }
  });
  await devtools.send('Page.enable', {}, session);
  await devtools.send('Page.startScreencast', cast, session);
  return { screenshots, failed };
}

/** What is told of a load that did not come to its end. */
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
    // one deadline over both: that somebody answers, and that all of it is there
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
 * A page that cannot be opened or does not come to its end is a load without times; what the browser itself fails at is
 * thrown.
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
