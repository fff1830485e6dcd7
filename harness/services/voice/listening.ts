/** One use of the voice: a browser that is prepared in advance, and the voice that it plays. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ClockOffset } from '../../../core/system/clock.ts';
import { recordFiles } from '../../../server/control/record-files.ts';
import { senderSeries } from '../../record/series/sender.ts';
import { findBrowserOn } from '../../trial/browser/find.ts';
import { type BrowserOptions, type BrowserWindow, openBrowser } from '../../trial/browser/launch.ts';
import { goTo } from '../../trial/browser/page.ts';
import type { ArmedService, LiveValues, RunningService, StudyContext, TrialContext } from '../service.ts';
import type { MediaServer } from '../shared/media-server.ts';
import { patienceMs } from '../shared/patience.ts';
import { voiceOrder } from '../shared/voice-params.ts';
import { firstFrameMs, Viewer } from '../viewer.ts';
import type { Params } from './params.ts';

/** UDP port of the media server if a tunnel has to know it in advance. */
const mediaPort = 50_000;
/** Size of the browser's window, which shows nothing, pixels. */
const [width, height] = [320, 180];
/** Files of the record that the media server writes for a voice. */
const files = [recordFiles.voice, recordFiles.voiceClip, recordFiles.packets, recordFiles.roundTrips];

class Listening implements RunningService {
  readonly failed: Promise<never>;
  readonly readyMs: number;
  readonly #server: MediaServer;
  readonly #browser: BrowserWindow;
  readonly #viewer: Viewer;
  readonly #params: Params;
  /** Copies the files that the server has written for the record to this machine. */
  readonly #bring: () => Promise<void>;

  constructor(server: MediaServer, browser: BrowserWindow, viewer: Viewer, params: Params, bring: () => Promise<void>) {
    this.#server = server;
    this.#browser = browser;
    this.#viewer = viewer;
    this.#params = params;
    this.#bring = bring;
    this.readyMs = viewer.firstFrameMs;
    this.failed = Promise.race([server.failed, browser.died]);
    this.failed.catch(() => {});
  }

  /** Returns the live values. The connection counts as lost if either page or server reports that it is. */
  async collect(): Promise<LiveValues> {
    const live = await this.#viewer.collect();
    return { ...live, framesPerSecond: null, lost: live.lost || this.#server.gone !== undefined };
  }

  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    return { server: await this.#server.clock(), page: this.#viewer.clock };
  }

  describe(): Record<string, unknown> {
    const { settle: _settle, port: _port, ...voice } = this.#params;
    return { voice, ffmpeg: this.#server.loadedVoice!.ffmpeg, browser: this.#browser.version };
  }

  /** Null: the voice is sent over RTP. */
  transport(): null {
    return null;
  }

  async stop(): Promise<void> {
    await this.#viewer.close();
    await Promise.all([this.#browser.close(), this.#server.alive ? this.#server.close() : undefined]);
    this.#server.onSample = () => {};
    if (this.#server.alive) await this.#bring();
  }
}

/** Starts the voice in a browser that shows an empty page. */
async function open(
  server: MediaServer,
  browser: BrowserWindow,
  study: StudyContext,
  trial: TrialContext,
  params: Params,
): Promise<RunningService> {
  const { server: host, client } = study.network.hosts;
  const place = await host.folderOf(trial.directory);
  const token = randomBytes(16).toString('hex');
  await server.open({
    type: 'open-voice',
    token,
    voice: await voiceOrder({ ...params, sync: false }, host),
    settleMs: params.settle,
    recordDirectory: place,
    ...(trial.tunnel === undefined ? {} : { mediaPort }),
  });
  server.onSample = sample => trial.write(senderSeries, sample);
  const query = new URLSearchParams({
    token,
    voice: 'alone',
    ...(study.window === undefined ? {} : { caption: study.window.caption }),
  });
  const died = Promise.race([server.failed, browser.died]);
  const page = "the media server's page";
  const longestMs = patienceMs(firstFrameMs, trial, 'page');
  await Promise.race([died, goTo(browser, `${server.loadedVoice!.url}?${query}`, page, longestMs)]);
  const viewer = await Viewer.of(browser, trial, `voice's page on ${client.name}`);
  await Promise.race([died, viewer.playing()]);
  return new Listening(server, browser, viewer, params, async () => {
    await Promise.all(files.map(name => host.bring(join(trial.directory, name), join(place, name))));
  });
}

/** Prepares a use of the voice. `launch`: starts a browser; tests replace it. */
export async function arm(
  server: MediaServer,
  study: StudyContext,
  trial: TrialContext,
  params: Params,
  launch: (options: Omit<BrowserOptions, 'executable'>) => Promise<BrowserWindow> = async options =>
    openBrowser({ ...options, executable: await findBrowserOn(options.host) }),
): Promise<ArmedService> {
  await trial.tunnel?.carry(mediaPort);
  const { headed, scratch, network, window } = study;
  const browser = await launch({
    host: network.hosts.client,
    scratch,
    headed,
    width,
    height,
    ...(window === undefined ? {} : { place: window.place }),
  });
  return {
    async begin() {
      try {
        return await open(server, browser, study, trial, params);
      } catch (error) {
        await browser.close();
        throw error;
      }
    },
    stop: () => browser.close(),
  };
}
