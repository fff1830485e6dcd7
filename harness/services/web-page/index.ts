/** Simulates a user who opens a web page again and again, each time in a fresh browser. */

import { CoexistError } from '../../../core/errors.ts';
import { choice, duration, object, type z } from '../../../core/schema/schema.ts';
import { type ClockOffset, nowMs } from '../../../core/system/clock.ts';
import { sleep } from '../../../core/system/deadline.ts';
import { type PageLoad, serviceSeries } from '../../record/series/service.ts';
import type { TransportReading } from '../../record/transport.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import type { LiveValues, RunningService, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { checkCongestionControl, congestionParams, neededBbr3 } from '../shared/congestion-param.ts';
import { Goodput } from '../shared/goodput.ts';
import { RoutedServer } from '../shared/routed-server.ts';
import { loadPage, noLoad, view } from './page-load.ts';
import { originsOfPage, pageNames } from './site.ts';

const paramsSchema = object({
  page: choice(pageNames).default('news').describe('The page. They differ in the number of images and of origins.'),
  ...congestionParams('bbr'),
  gap: duration({ min: 0, max: 600e3 })
    .default(5e3)
    .describe('Time between the end of one load and the start of the next.'),
  patience: duration({ min: 1e3, max: 600e3 }).default(60e3).describe('A load that takes longer counts as failed.'),
});

type Params = z.output<typeof paramsSchema>;

class Browsing implements RunningService {
  readonly failed: Promise<never>;
  readyMs = 0;
  readonly #study: StudyContext;
  readonly #trial: TrialContext;
  readonly #params: Params;
  readonly #server: RoutedServer;
  readonly #stopping = new AbortController();
  readonly #fail: (error: unknown) => void;
  readonly #goodput = new Goodput();
  #loading: Promise<void> = Promise.resolve();
  #loads = 0;
  #failedLoads = 0;
  #receivedBytes = 0;

  private constructor(study: StudyContext, trial: TrialContext, params: Params, server: RoutedServer) {
    this.#study = study;
    this.#trial = trial;
    this.#params = params;
    this.#server = server;
    const { promise, reject } = Promise.withResolvers<never>();
    this.#fail = reject;
    this.failed = Promise.race([server.failed, promise]);
    this.failed.catch(() => {});
  }

  /** Begins to open the page; resolves when it has loaded once. Throws `service-failed` if it does not load. */
  static async open(study: StudyContext, trial: TrialContext, params: Params): Promise<Browsing> {
    const server = await RoutedServer.open(study, {
      name: 'the web page',
      congestion: params,
      origins: originsOfPage[params.page],
      secure: false,
      program: new URL('./page-server.ts', import.meta.url),
      config: { page: params.page },
    });
    const browsing = new Browsing(study, trial, params, server);
    try {
      const first = await Promise.race([server.failed, browsing.#load()]);
      if (first.loadMs === null)
        throw new CoexistError('service-failed', `the web page did not load within ${params.patience / 1000} s`);
      browsing.readyMs = nowMs();
      browsing.#loading = browsing.#goOn();
      return browsing;
    } catch (error) {
      await browsing.stop();
      throw error;
    }
  }

  async collect(): Promise<LiveValues> {
    await this.#server.read();
    const timeMs = nowMs();
    this.#trial.write(serviceSeries, {
      timeMs,
      kind: 'page',
      loads: this.#loads,
      failedLoads: this.#failedLoads,
      receivedBytes: this.#receivedBytes,
    });
    return this.#goodput.since(timeMs, this.#receivedBytes);
  }

  /** Offsets are 0: times are from the browser's clock, counted from the start of a navigation. */
  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    const own = { offsetMs: 0, uncertaintyMs: 0 };
    return { server: own, page: own };
  }

  describe(): Record<string, unknown> {
    const { page } = this.#params;
    return { page, origins: originsOfPage[page], view };
  }

  transport(): TransportReading | null {
    return this.#server.transport;
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service is stopped'));
    await this.#loading;
    await this.#server.close();
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      for (;;) {
        await sleep(this.#params.gap, signal);
        await this.#load();
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  async #load(): Promise<PageLoad> {
    const {
      network: { hosts },
      scratch,
    } = this.#study;
    const { signal } = this.#stopping;
    const number = this.#loads + this.#failedLoads + 1;
    let startMs: number | undefined;
    let hasLoaded = false;
    const tell = (load: PageLoad) =>
      this.#trial.write(serviceSeries, {
        timeMs: nowMs(),
        kind: 'load',
        ...load,
        ...(startMs === undefined ? {} : { startMs }),
      });
    try {
      const load = await loadPage({
        executable: findBrowser(),
        host: hosts.client,
        scratch,
        url: `${this.#server.origins[0]}/`,
        number,
        patienceMs: this.#params.patience,
        signal,
        onBegin: () => {
          startMs = nowMs();
        },
        onLoaded: () => {
          hasLoaded = true;
        },
      });
      if (load.loadMs === null) this.#failedLoads++;
      else this.#loads++;
      this.#receivedBytes += load.bytes;
      tell(load);
      return load;
    } catch (error) {
      // a load that is aborted after its load event is not cut off; only its visual progress is missing
      if (signal.aborted && startMs !== undefined && !hasLoaded) tell({ ...noLoad(number), isCutOff: true });
      throw error;
    }
  }
}

export const plugin: ServicePlugin<Params> = {
  id: 'web-page',
  kind: 'page',
  title: 'web page',
  source: 'Philip et al., table 1 and section 5: wikipedia.org, news.google.com, youtube.com; above-the-fold load time',
  params: paramsSchema,
  capBps: () => null,
  warmUpMs: () => 0,
  async check({ congestionControl: asked }) {
    findBrowser();
    await checkCongestionControl(asked);
  },
  neededBbr3: params => neededBbr3(params),
  kernelControl: ({ congestionControl: asked }) => asked,
  preparationKey: () => '',
  prepare: async study => ({
    open: (trial, params) => Browsing.open(study, trial, params),
    close: async () => {},
  }),
};
