/** A page of a server of our own, in a browser of its own: what a transfer and a video service are made of. */
import { measureClock } from '../../../core/clock.ts';
import type { ClockOffset } from '../../../core/clock.ts';
import { openBareBrowser } from '../../browser/bare.ts';
import type { BareBrowser, BarePage } from '../../browser/bare.ts';
import { findBrowser } from '../../browser/find.ts';
import type { PageVitals } from '../../../client/wire.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { StudyContext, TrialContext } from '../service.ts';
import type { ContentServer, ContentServerOptions } from './content-server.ts';
import { Http3Server } from './http3-server.ts';
import { RoutedServer } from './routed-server.ts';

const pageMs = 15_000;

/** By their names in TLS (ALPN), which are those of Resource Timing. */
export const protocols = ['http/1.1', 'h2', 'h3'] as const;

type ServedPageOptions = ContentServerOptions & {
  protocol: (typeof protocols)[number];
  width: number;
  height: number;
};

export class ServedPage {
  readonly clock: ClockOffset;
  readonly failed: Promise<never>;
  readonly #server: ContentServer;
  readonly #browser: BareBrowser;
  readonly #page: BarePage;
  readonly #trial: TrialContext;

  private constructor(
    server: ContentServer,
    browser: BareBrowser,
    page: BarePage,
    clock: ClockOffset,
    trial: TrialContext,
  ) {
    this.#server = server;
    this.#browser = browser;
    this.#page = page;
    this.#trial = trial;
    this.clock = clock;
    this.failed = Promise.race([server.failed, browser.died]);
    this.failed.catch(() => {});
  }

  static async open(study: StudyContext, trial: TrialContext, options: ServedPageOptions): Promise<ServedPage> {
    const { name, protocol, width, height } = options;
    const server: ContentServer =
      protocol === 'h3'
        ? await Http3Server.open(study, options)
        : await RoutedServer.open(study, { ...options, secure: protocol === 'h2' });
    let browser: BareBrowser | undefined;
    try {
      const opened = (browser = await openBareBrowser({
        executable: findBrowser(),
        host: study.network.hosts.client,
        scratch: study.scratch,
        width,
        height,
        ...server.browser,
      }));
      const load = async () => {
        const page = await opened.newPage();
        await page.goTo(`${server.pageOrigin}/`, `${name}'s page`, pageMs);
        await page.ready(`${name}'s page`, pageMs);
        return new ServedPage(
          server,
          opened,
          page,
          await measureClock(() => page.ask<number>('coexist.timeMs()')),
          trial,
        );
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

  ask<T>(expression: string): Promise<T> {
    return this.#page.ask<T>(expression);
  }

  /** What the page has to tell, on the harness's clock, its vitals written down; and what its flows use, checked. */
  async drain<T extends PageVitals>(): Promise<T> {
    const [drained] = await Promise.all([this.ask<T>('coexist.drain()'), this.#server.read()]);
    const timeMs = drained.timeMs + this.clock.offsetMs;
    this.#trial.page({ timeMs, mainThreadDelayMaxMs: drained.mainThreadDelayMaxMs, visible: drained.visible });
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
