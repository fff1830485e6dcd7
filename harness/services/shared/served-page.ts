/** A page of a server of our own, in a browser of its own: what a transfer and a video service are made of. */
import type { PageVitals, TransferOrder, VideoOrder } from '../../../client/wire.ts';
import { type ClockOffset, measureClock } from '../../../core/clock.ts';
import type { z } from '../../../core/schema.ts';
import { type BareBrowser, type BarePage, openBareBrowser } from '../../browser/bare.ts';
import { findBrowser } from '../../browser/find.ts';
import { pageSeries } from '../../record/series/page.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { StudyContext, TrialContext } from '../service.ts';
import type { ContentServer, ContentServerOptions } from './content-server.ts';
import { Http3Server } from './http3-server.ts';
import { checkedAnswer, checkedTime, unixMs } from './page-values.ts';
import { patienceMs } from './patience.ts';
import { RoutedServer } from './routed-server.ts';

const pageMs = 15_000;

/** By their names in TLS (ALPN), which are those of Resource Timing. */
export const protocols = ['http/1.1', 'h2', 'h3'] as const;

type ServedPageOptions = ContentServerOptions & {
  protocol: (typeof protocols)[number];
  width: number;
  height: number;
};

const contentServer = (study: StudyContext, options: ServedPageOptions): Promise<ContentServer> =>
  options.protocol === 'h3'
    ? Http3Server.open(study, options)
    : RoutedServer.open(study, { ...options, secure: options.protocol === 'h2' });

export class ServedPage {
  readonly clock: ClockOffset;
  readonly failed: Promise<never>;
  readonly #server: ContentServer;
  readonly #browser: BareBrowser;
  readonly #page: BarePage;
  readonly #trial: TrialContext;
  readonly #name: string;

  private constructor(
    server: ContentServer,
    browser: BareBrowser,
    page: BarePage,
    clock: ClockOffset,
    trial: TrialContext,
    name: string,
  ) {
    this.#server = server;
    this.#browser = browser;
    this.#page = page;
    this.#trial = trial;
    this.#name = name;
    this.clock = clock;
    this.failed = Promise.race([server.failed, browser.died]);
    this.failed.catch(() => {});
  }

  /** `serve`, `launch`: start the server and the browser, for tests. */
  static async open(
    study: StudyContext,
    trial: TrialContext,
    options: ServedPageOptions,
    serve: typeof contentServer = contentServer,
    launch: typeof openBareBrowser = openBareBrowser,
  ): Promise<ServedPage> {
    const { name, width, height } = options;
    const server = await serve(study, options);
    let browser: BareBrowser | undefined;
    try {
      const opened = (browser = await launch({
        executable: findBrowser(),
        host: study.network.hosts.client,
        scratch: study.scratch,
        width,
        height,
        ...server.browser,
      }));
      const load = async () => {
        const page = await opened.newPage();
        const longestMs = patienceMs(pageMs, trial, 'page');
        await page.goTo(`${server.pageOrigin}/`, `${name}'s page`, longestMs);
        await page.ready(`${name}'s page`, longestMs);
        const inMessages = `${name}'s page on ${study.network.hosts.client.name}`;
        const clock = await measureClock(async () =>
          checkedAnswer(unixMs, await page.ask('coexist.timeMs()'), inMessages),
        );
        return new ServedPage(server, opened, page, clock, trial, inMessages);
      };
      return await Promise.race([server.failed, opened.died, load()]);
    } catch (error) {
      await browser?.close();
      await server.close();
      throw error;
    }
  }

  /** Of the server's content. */
  get origins(): readonly string[] {
    return this.#server.origins;
  }

  /** Has the page begin. */
  async start(order: TransferOrder | VideoOrder): Promise<void> {
    await this.#page.ask(`coexist.start(${JSON.stringify(order)})`);
  }

  /**
   * What the page has to tell, checked, on the harness's clock, its vitals written down; and what its flows use, checked.
   * Throws `service-failed` where the page tells what cannot be.
   */
  async drain<T extends PageVitals>(schema: z.ZodType<T>): Promise<T> {
    const [told] = await Promise.all([this.#page.ask('coexist.drain()'), this.#server.read()]);
    const drained = checkedAnswer(schema, told, this.#name);
    const timeMs = checkedTime(drained.timeMs + this.clock.offsetMs, this.#name);
    this.#trial.write(pageSeries, {
      timeMs,
      mainThreadDelayMaxMs: drained.mainThreadDelayMaxMs,
      visible: drained.visible,
    });
    return { ...drained, timeMs };
  }

  /** Nothing of the server's clock is in the record. */
  clocks(): { server: ClockOffset; page: ClockOffset } {
    return { server: { offsetMs: 0, uncertaintyMs: 0 }, page: this.clock };
  }

  describe(): Record<string, unknown> {
    return { browser: this.#browser.version };
  }

  transport(): TransportReading | null {
    return this.#server.transport;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.close();
  }
}
