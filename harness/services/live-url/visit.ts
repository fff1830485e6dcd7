/**
 * One visit to a page of the Internet in a fresh browser: loads the page, runs the user's script, and then reads the
 * page repeatedly.
 */
import type { AudioReading, ElementReading } from '../../../client/wire.ts';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { sleep, within } from '../../../core/system/deadline.ts';
import { readPageFile } from '../../../server/pages/page-file.ts';
import type { Confinement } from '../../trial/browser/confinement.ts';
import { IsolatedWorld } from '../../trial/browser/isolated-world.ts';
import { type BrowserOptions, type BrowserWindow, openBrowser } from '../../trial/browser/launch.ts';
import { checkedAudio, checkedElement, checkedLoad, type LoadTimes } from './reading.ts';
import type { Script } from './script.ts';

export const view = { width: 1280, height: 720 };
/** Deadline for the answer of a frame, ms. A later answer is not used. */
const answerMs = 2000;

/** Longest wait, after a failed request, for the news that the browser has ended, ms. */
const endedMs = 500;

/** Longest wait for the page's first content after its load event, ms. */
const settleMs = 1000;

const readLoad = `new Promise(resolve => {
  const done = () => resolve({
    loadMs: performance.getEntriesByType('navigation')[0].loadEventStart,
    firstContentMs: performance.getEntriesByName('first-contentful-paint', 'paint')[0]?.startTime ?? null,
  });
  new PerformanceObserver(list => {
    if (list.getEntriesByName('first-contentful-paint', 'paint').length > 0) done();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(done, ${settleMs});
})`;
const readElement = 'globalThis.coexistElement?.() ?? null';
const readAudio = 'globalThis.coexistAudio?.() ?? []';

export type VisitOptions = Pick<
  BrowserOptions,
  'executable' | 'nameServer' | 'host' | 'scratch' | 'headed' | 'quic'
> & { url: string; script: Script | null; patienceMs: number; signal: AbortSignal };

export class Visit {
  readonly #browser: BrowserWindow;
  readonly #options: VisitOptions;
  readonly #ending = new AbortController();

  readonly #world: IsolatedWorld;

  private constructor(browser: BrowserWindow, world: IsolatedWorld, options: VisitOptions) {
    this.#browser = browser;
    this.#world = world;
    this.#options = options;
  }

  /** Opens a browser with an empty page. */
  static async open(options: VisitOptions): Promise<Visit> {
    const browser = await openBrowser({ ...options, ...view, showsInternet: true });
    try {
      const [element, voice] = await Promise.all([readPageFile('live/element.ts'), readPageFile('live/voice.ts')]);
      const world = await IsolatedWorld.open(browser.page, element.body, answerMs, voice.body);
      return new Visit(browser, world, options);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  get version(): string {
    return this.#browser.version;
  }

  get confinement(): Confinement {
    return this.#browser.confinement;
  }

  get died(): Promise<never> {
    return this.#browser.died;
  }

  /**
   * Loads the page and starts the script. Throws `service-failed` with the reason, or the error with which the browser
   * ended.
   */
  async begin(): Promise<LoadTimes> {
    try {
      return await this.#begin();
    } catch (error) {
      await Promise.race([this.died, sleep(endedMs, this.#options.signal)]);
      throw error;
    }
  }

  async #begin(): Promise<LoadTimes> {
    const { url, patienceMs, script, signal } = this.#options;
    const { page } = this.#browser;
    const response = await page.goto(url, { timeout: patienceMs, waitUntil: 'load' }).catch((error: unknown) => {
      throw new CoexistError('service-failed', `${url} did not load: ${messageOf(error).split('\n')[0]}`, {
        cause: error,
      });
    });
    if (response !== null && !response.ok())
      throw new CoexistError('service-failed', `${url} was answered with ${response.status()}`);
    const times = checkedLoad(await this.#world.ask(readLoad, settleMs + answerMs));
    if (script !== null) {
      const used = Promise.resolve(script(page, { signal: AbortSignal.any([signal, this.#ending.signal]) })).catch(
        (error: unknown) => {
          throw new CoexistError('service-failed', `the script failed: ${messageOf(error).split('\n')[0]}`, {
            cause: error,
          });
        },
      );
      await within(used, patienceMs, 'the script to have the page in use', { code: 'service-failed', signal });
    }
    return times;
  }

  /**
   * Returns the reading of the largest video element in all frames; null if no frame shows a video. Throws
   * `service-failed` if a reading has impossible values.
   */
  async element(): Promise<ElementReading | null> {
    const readings = (await this.#world.askFrames(readElement, answerMs)).map(checkedElement);
    return readings.reduce<ElementReading | null>(
      (a, b) => (b !== null && (a === null || b.area > a.area) ? b : a),
      null,
    );
  }

  /**
   * Returns the readings of the streams of audio that the connections of all frames receive. Throws `service-failed` if
   * a reading has impossible values.
   */
  async audio(): Promise<AudioReading[]> {
    return (await this.#world.askFrames(readAudio, answerMs, 'page')).flatMap(checkedAudio);
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('the visit is over'));
    await this.#browser.close();
  }
}
