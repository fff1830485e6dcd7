/** One load of a page in a fresh browser: nothing is known to it, nothing kept, no connection open. */
import { sleep, within } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import { check, object, z } from '../../../core/schema.ts';
import { openBareBrowser } from '../../browser/bare.ts';
import type { BareBrowser, BarePage } from '../../browser/bare.ts';
import type { BrowserOptions } from '../../browser/launch.ts';
import type { PageLoad } from '../../record/series.ts';
import { decodePng } from './png.ts';
import { cellsOf, visualProgress } from './visual-progress.ts';

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

const castFrameSchema = z.looseObject({
  data: z.string(),
  sessionId: z.number(),
  /** Unix seconds. */
  metadata: z.looseObject({ timestamp: z.number().optional() }),
});
type Screenshot = { unixMs: number; png: Buffer };

/** What the browser says of the load (Navigation, Paint and Resource Timing); ms from the start of the navigation. */
const ms = z.number().min(0).max(3600e3);
const timingSchema = object({
  originMs: z.number().min(0).max(1e13),
  loadMs: ms,
  firstContentMs: ms.nullable(),
  bytes: z.number().int().min(0).max(1e12),
});

const readTiming = `(() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const [paint] = performance.getEntriesByName('first-contentful-paint', 'paint');
  const bytes = [navigation, ...performance.getEntriesByType('resource')].reduce((sum, entry) => sum + entry.transferSize, 0);
  return { originMs: performance.timeOrigin, loadMs: navigation.loadEventEnd, firstContentMs: paint?.startTime ?? null, bytes };
})()`;

/** Asks for screenshots of the page whenever it looks different; they gather in what is returned. */
async function castOf({ devtools, session }: BarePage): Promise<Screenshot[]> {
  const screenshots: Screenshot[] = [];
  devtools.on('Page.screencastFrame', session, params => {
    const {
      data,
      sessionId,
      metadata: { timestamp },
    } = check(castFrameSchema, params, 'a screenshot of the web page', 'browser-failed');
    if (timestamp !== undefined) screenshots.push({ unixMs: timestamp * 1000, png: Buffer.from(data, 'base64') });
    devtools.send('Page.screencastFrameAck', { sessionId }, session).catch(() => {}); // it is closing
  });
  await devtools.send('Page.enable', {}, session);
  await devtools.send('Page.startScreencast', cast, session);
  return screenshots;
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

async function measure(
  browser: BareBrowser,
  { url, number, patienceMs, signal, onBegin, onLoaded }: Omit<LoadOptions, keyof Place>,
): Promise<PageLoad> {
  const page = await browser.newPage();
  const screenshots = await castOf(page);
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
  const { originMs, loadMs, firstContentMs, bytes } = check(
    timingSchema,
    await page.askIsolated(readTiming),
    "the web page's times",
    'service-failed',
  );
  const looks = screenshots.map(({ unixMs, png }) => {
    const { width, height, data } = decodePng(png);
    return { timeMs: unixMs - originMs, cells: cellsOf(data, width, height) };
  });
  const progress = visualProgress(looks);
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
export async function loadPage({ executable, host, scratch, ...options }: LoadOptions): Promise<PageLoad> {
  const browser = await openBareBrowser({ executable, host, scratch, ...view });
  try {
    const load = measure(browser, options);
    load.catch(() => {});
    return await Promise.race([browser.died, load]);
  } finally {
    await browser.close();
  }
}
