/**
 * The page of one of our servers, in a browser on each client's host. The transfer and video services are built on it.
 */
import type { PageVitals, TransferOrder, VideoOrder } from '../../../client/wire.ts';
import type { z } from '../../../core/schema/schema.ts';
import type { ClockOffset } from '../../../core/system/clock.ts';
import { clientsOf } from '../../../core/system/network.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { openBareBrowser } from '../../trial/browser/bare.ts';
import type { StudyContext, TrialContext } from '../service.ts';
import { ClientPage, type Drained } from './client-page.ts';
import type { ContentServer, ContentServerOptions } from './content-server.ts';
import { Http3Server } from './http3-server.ts';
import { RoutedServer } from './routed-server.ts';

/** Protocols by their names in TLS (ALPN), which Resource Timing also uses. */
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
  readonly failed: Promise<never>;
  readonly #server: ContentServer;
  /** Page of each client, in the order of the clients. */
  readonly #pages: readonly ClientPage[];

  private constructor(server: ContentServer, pages: readonly ClientPage[]) {
    this.#server = server;
    this.#pages = pages;
    this.failed = Promise.race([server.failed, ...pages.map(({ died }) => died)]);
    this.failed.catch(() => {});
  }

  /**
   * Starts the server, and opens its page on every client of the network. `serve` and `launch` start the server and the
   * browsers; tests replace them.
   */
  static async open(
    study: StudyContext,
    trial: TrialContext,
    options: ServedPageOptions,
    serve: typeof contentServer = contentServer,
    launch?: typeof openBareBrowser,
  ): Promise<ServedPage> {
    const server = await serve(study, options);
    const opening = clientsOf(study.network).map(({ host }) =>
      ClientPage.open(host, server, study, trial, options, launch),
    );
    try {
      const pages = await Promise.all(opening);
      // clocks are read one after the other, once every browser has started, since simultaneous readings are inexact
      for (const page of pages) await page.readClock();
      return new ServedPage(server, pages);
    } catch (error) {
      for (const opened of await Promise.allSettled(opening))
        if (opened.status === 'fulfilled') await opened.value.close();
      await server.close();
      throw error;
    }
  }

  get origins(): readonly string[] {
    return this.#server.origins;
  }

  async start(order: TransferOrder | VideoOrder): Promise<void> {
    await Promise.all(this.#pages.map(page => page.start(order)));
  }

  /**
   * Reads the pages of all clients. Checks their values, converts their times to the harness's clock and records their
   * vitals. Also reads and verifies the flows of the server. Throws `service-failed` if a page reports impossible
   * values.
   */
  async drain<T extends PageVitals>(schema: z.ZodType<T>): Promise<[Drained<T>, ...Drained<T>[]]> {
    const [[first, ...others]] = await Promise.all([
      Promise.all(this.#pages.map(page => page.drain(schema))),
      this.#server.read(),
    ]);
    return [first!, ...others];
  }

  /**
   * Clock offsets for the record, which has no times of the server's clock. `page` is the clock with the largest
   * uncertainty.
   */
  clocks(): { server: ClockOffset; page: ClockOffset } {
    const [page] = this.#pages.map(({ clock }) => clock).sort((a, b) => b.uncertaintyMs - a.uncertaintyMs);
    return { server: { offsetMs: 0, uncertaintyMs: 0 }, page: page! };
  }

  describe(): Record<string, unknown> {
    return { browser: this.#pages[0]!.version };
  }

  transport(): TransportReading | null {
    return this.#server.transport;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pages.map(page => page.close()));
    await this.#server.close();
  }
}
