/** Use of a media server: a browser that is prepared in advance, and what it receives from the server. */
import type { ClockOffset } from '../../../core/system/clock.ts';
import { findBrowserOn } from '../../trial/browser/find.ts';
import { type BrowserOptions, type BrowserWindow, openBrowser } from '../../trial/browser/launch.ts';
import { goTo } from '../../trial/browser/page.ts';
import type { ArmedService, LiveValues, RunningService, StudyContext, TrialContext } from '../service.ts';
import { firstFrameMs, Viewer } from '../viewer.ts';
import type { MediaServer } from './media-server.ts';
import { patienceMs } from './patience.ts';

/** UDP port of the server if something has to know it in advance. Chromium sends to hardly any port below 1024. */
export const mediaPort = 50_000;

/** Starts a browser. */
export type Launch = (options: Omit<BrowserOptions, 'executable'>) => Promise<BrowserWindow>;

const launchInstalled: Launch = async options =>
  openBrowser({ ...options, executable: await findBrowserOn(options.host) });

/** Part of a use that differs between services. */
type OwnPart = {
  /** False for a voice alone: the live values then have no frame rate. */
  hasPicture: boolean;
  /** Rejects if something other than server and browser fails. */
  failed?: Promise<never> | undefined;
  describe(): Record<string, unknown>;
  notes?(): readonly string[];
  /** Ends what the service has started besides server and browser. */
  release?(): Promise<void>;
  /** Copies the files that the server has written for the record to this machine. */
  bring(): Promise<void>;
};

export class MediaUse implements RunningService {
  readonly failed: Promise<never>;
  readonly readyMs: number;
  readonly #server: MediaServer;
  readonly #browser: BrowserWindow;
  readonly #viewer: Viewer;
  readonly #own: OwnPart;

  constructor(server: MediaServer, browser: BrowserWindow, viewer: Viewer, own: OwnPart) {
    this.#server = server;
    this.#browser = browser;
    this.#viewer = viewer;
    this.#own = own;
    this.readyMs = viewer.firstFrameMs;
    this.failed = Promise.race([server.failed, browser.died, ...(own.failed === undefined ? [] : [own.failed])]);
    this.failed.catch(() => {});
  }

  /** Returns the live values. The connection counts as lost if either page or server reports that it is. */
  async collect(): Promise<LiveValues> {
    const live = await this.#viewer.collect();
    return {
      ...live,
      ...(this.#own.hasPicture ? {} : { framesPerSecond: null }),
      lost: live.lost || this.#server.gone !== undefined,
    };
  }

  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    return { server: await this.#server.clock(), page: this.#viewer.clock };
  }

  describe(): Record<string, unknown> {
    return this.#own.describe();
  }

  notes(): readonly string[] {
    return this.#own.notes?.() ?? [];
  }

  /** Null: the media are sent over RTP. */
  transport(): null {
    return null;
  }

  setPaused(isPaused: boolean): Promise<void> {
    return this.#server.setPaused(isPaused);
  }

  async stop(): Promise<void> {
    await this.#viewer.close();
    await Promise.all([this.#browser.close(), this.#server.alive ? this.#server.close() : undefined]);
    this.#server.onSample = () => {};
    await this.#own.release?.();
    if (this.#server.alive) await this.#own.bring();
  }
}

/**
 * Loads the page at `url` and returns its viewer when the media play. `query`: parameters of the page. `service`: name
 * of the service in messages.
 */
export async function viewerOf(
  server: MediaServer,
  browser: BrowserWindow,
  { study, trial, service }: { study: StudyContext; trial: TrialContext; service: string },
  url: string,
  query: Record<string, string>,
): Promise<Viewer> {
  const parameters = new URLSearchParams({
    ...query,
    ...(study.window === undefined ? {} : { caption: study.window.caption }),
  });
  const died = Promise.race([server.failed, browser.died]);
  const page = "the media server's page";
  const longestMs = patienceMs(firstFrameMs, trial, 'page');
  await Promise.race([died, goTo(browser, `${url}?${parameters}`, page, longestMs)]);
  const viewer = await Viewer.of(browser, trial, `${service}'s page on ${study.network.hosts.client.name}`);
  await Promise.race([died, viewer.playing()]);
  return viewer;
}

/** Prepares a use: starts the browser, which shows an empty page until `open` is called. */
export async function armBrowser(
  { network, scratch, headed, window }: StudyContext,
  options: Pick<BrowserOptions, 'width' | 'height' | 'switches'>,
  open: (browser: BrowserWindow) => Promise<RunningService>,
  launch: Launch = launchInstalled,
): Promise<ArmedService> {
  const browser = await launch({
    host: network.hosts.client,
    scratch,
    headed,
    ...options,
    ...(window === undefined ? {} : { place: window.place }),
  });
  return {
    async begin() {
      try {
        return await open(browser);
      } catch (error) {
        await browser.close();
        throw error;
      }
    },
    stop: () => browser.close(),
  };
}
