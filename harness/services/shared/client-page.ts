/** The page of a service's server in the browser of one client. */
import type { PageVitals, TransferOrder, VideoOrder } from '../../../client/wire.ts';
import type { z } from '../../../core/schema/schema.ts';
import { type ClockOffset, measureClock } from '../../../core/system/clock.ts';
import type { Host } from '../../../core/system/host.ts';
import { pageSeries } from '../../record/series/page.ts';
import { type BareBrowser, type BarePage, openBareBrowser } from '../../trial/browser/bare.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import type { StudyContext, TrialContext } from '../service.ts';
import type { ContentServer } from './content-server.ts';
import { checkedAnswer, checkedTime, unixMs } from './page-values.ts';
import { patienceMs } from './patience.ts';

const pageMs = 15_000;

type ClientPageOptions = { name: string; width: number; height: number };

/**
 * Data that a page reports. `offsetMs`: milliseconds to add to times of the page's clock to get the harness's clock.
 */
export type Drained<T> = T & { offsetMs: number };

export class ClientPage {
  /** Offset of the page's clock. It is not known before `readClock`. */
  clock: ClockOffset = { offsetMs: 0, uncertaintyMs: Infinity };
  readonly #browser: BareBrowser;
  readonly #page: BarePage;
  readonly #trial: TrialContext;
  readonly #name: string;

  private constructor(browser: BareBrowser, page: BarePage, trial: TrialContext, name: string) {
    this.#browser = browser;
    this.#page = page;
    this.#trial = trial;
    this.#name = name;
  }

  /**
   * Starts a browser and opens the page in it. `client`: host of the browser. `launch`: starts the browser; tests
   * replace it.
   */
  static async open(
    client: Host,
    { pageOrigin, browser: switches, failed }: Pick<ContentServer, 'pageOrigin' | 'browser' | 'failed'>,
    { scratch }: Pick<StudyContext, 'scratch'>,
    trial: TrialContext,
    { name, width, height }: ClientPageOptions,
    launch: typeof openBareBrowser = openBareBrowser,
  ): Promise<ClientPage> {
    const browser = await launch({ executable: findBrowser(), host: client, scratch, width, height, ...switches });
    const load = async () => {
      const page = await browser.newPage();
      const longestMs = patienceMs(pageMs, trial, 'page');
      await page.goTo(`${pageOrigin}/`, `${name}'s page`, longestMs);
      await page.ready(`${name}'s page`, longestMs);
      return new ClientPage(browser, page, trial, `${name}'s page on ${client.name}`);
    };
    try {
      return await Promise.race([failed, browser.died, load()]);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  get died(): Promise<never> {
    return this.#browser.died;
  }

  get version(): string {
    return this.#browser.version;
  }

  async readClock(): Promise<void> {
    this.clock = await measureClock(async () =>
      checkedAnswer(unixMs, await this.#page.ask('coexist.timeMs()'), this.#name),
    );
  }

  async start(order: TransferOrder | VideoOrder): Promise<void> {
    await this.#page.ask(`coexist.start(${JSON.stringify(order)})`);
  }

  /** Reads the page's data; see `ServedPage.drain`. */
  async drain<T extends PageVitals>(schema: z.ZodType<T>): Promise<Drained<T>> {
    const drained = checkedAnswer(schema, await this.#page.ask('coexist.drain()'), this.#name);
    const { offsetMs } = this.clock;
    const timeMs = checkedTime(drained.timeMs + offsetMs, this.#name);
    this.#trial.write(pageSeries, {
      timeMs,
      mainThreadDelayMaxMs: drained.mainThreadDelayMaxMs,
      visible: drained.visible,
    });
    return { ...drained, timeMs, offsetMs };
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
