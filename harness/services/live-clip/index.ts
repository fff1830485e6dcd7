/**
 * The live clip: a media server encodes a clip as it goes and streams it over WebRTC into Chromium,
 * as a cloud-gaming server does with its game.
 */
import { randomBytes } from 'node:crypto';
import { measureClock } from '../../base/clock.ts';
import type { ClockOffset } from '../../base/clock.ts';
import { until } from '../../base/deadline.ts';
import { CoexistError, messageOf } from '../../base/errors.ts';
import { findBrowser } from '../../browser/find.ts';
import { openBrowser } from '../../browser/launch.ts';
import type { BrowserWindow } from '../../browser/launch.ts';
import type { PageDrain, PageStatus } from '../../../client/wire.ts';
import type { LoadCommand } from '../../../server/control/protocol.ts';
import type { LiveValues, PreparedService, RunningService, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { checkClip, clipPath } from './clips.ts';
import { MediaServer } from './media-server.ts';
import { paramsSchema } from './params.ts';
import type { Params } from './params.ts';

const firstPictureMs = 15_000;

/** What a browser must be told so that it offers a kind of feedback (libwebrtc 2026-08, g3doc/field-trials.md). */
const feedbackSwitches = {
  'transport-cc': [],
  'ccfb': ['--force-fieldtrials=WebRTC-RFC8888CongestionControlFeedback/Enabled,offer:true/'],
} as const;

/** What is asked of the page (client/wire.ts, PageApi). */
const inPage = {
  timeMs: 'coexist.timeMs()',
  status: 'globalThis.coexist?.status()',
  drain: 'coexist.drain()',
  close: 'coexist.close()',
} as const;

class Viewing implements RunningService {
  readonly failed: Promise<never>;
  readonly firstPictureMs: number;
  readonly #server: MediaServer;
  readonly #browser: BrowserWindow;
  readonly #trial: TrialContext;
  readonly #params: Params;
  #pageClock: ClockOffset;
  #last: { timeMs: number; bytes: number; frames: number } | undefined;

  private constructor(server: MediaServer, browser: BrowserWindow, trial: TrialContext, params: Params, pageClock: ClockOffset, firstPicture: number) {
    this.#server = server;
    this.#browser = browser;
    this.#trial = trial;
    this.#params = params;
    this.#pageClock = pageClock;
    this.firstPictureMs = firstPicture;
    this.failed = Promise.race([server.failed, browser.died]);
    this.failed.catch(() => {});
  }

  static async open(server: MediaServer, study: StudyContext, trial: TrialContext, params: Params): Promise<Viewing> {
    const token = randomBytes(16).toString('hex');
    await server.open({
      type: 'open', token, recordDirectory: trial.directory,
      stream: {
        frameRate: params.frameRate, startBps: Math.min(params.startBitrate, params.maxBitrate), minBps: params.minBitrate, maxBps: params.maxBitrate,
        controller: { id: params.controller.id, params: params.controller.params },
        feedback: params.feedback,
        playoutDelay: params.playout === 'immediate' ? { minMs: 0, maxMs: 0 } : null,
        pacerLimitMs: params.pacerLimit,
      },
    });
    server.onSample = sample => trial.sender(sample);
    const browser = await openBrowser({
      executable: findBrowser(), host: study.network.hosts.client, scratch: study.scratch, headed: study.headed, width: params.width, height: params.height,
      switches: feedbackSwitches[params.feedback],
    });
    try {
      const died = Promise.race([server.failed, browser.died]);
      await Promise.race([died, openPage(browser, `${server.loaded!.url}?token=${token}`)]);
      const pageClock = await measureClock(() => ask<number>(browser, inPage.timeMs));
      const playing = until(async () => {
        const status = await ask<PageStatus | undefined>(browser, inPage.status);
        if (status?.state === 'failed') throw pageFailure(status);
        return status?.state === 'playing' ? status : undefined;
      }, firstPictureMs, 'the first picture', { code: 'no-picture', everyMs: 30 });
      await Promise.race([died, playing]);
      const drain = await ask<PageDrain>(browser, inPage.drain);
      const viewing = new Viewing(server, browser, trial, params, pageClock, drain.frames[0]!.presentationMs + pageClock.offsetMs);
      viewing.#write(drain);
      return viewing;
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  async collect(): Promise<LiveValues> {
    return this.#write(await ask<PageDrain>(this.#browser, inPage.drain));
  }

  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    return { server: await this.#server.clock(), page: this.#pageClock };
  }

  describe(): Record<string, unknown> {
    const { clip, encoder, ffmpeg } = this.#server.loaded!;
    return {
      clip: { path: clipPath(this.#params.clip), ...clip }, encoder, ffmpeg, browser: this.#browser.version, controller: this.#params.controller,
      feedback: this.#server.connected?.feedback,
      picture: { width: this.#params.width, height: this.#params.height, frameRate: this.#params.frameRate },
    };
  }

  async stop(): Promise<void> {
    // the connection before the browser, so that the server knows at once and nothing waits for a timeout
    await this.#browser.page.evaluate(inPage.close).catch(() => {});
    await Promise.all([this.#browser.close(), this.#server.alive ? this.#server.close() : undefined]);
    this.#server.onSample = () => {};
  }

  #write({ status, frames, stats, mainThreadDelayMaxMs, visible }: PageDrain): LiveValues {
    const { offsetMs } = this.#pageClock;
    const moved = (ms: number | null) => (ms === null ? null : ms + offsetMs);
    for (const frame of frames) {
      this.#trial.frames({
        ...frame, callbackMs: frame.callbackMs + offsetMs, presentationMs: frame.presentationMs + offsetMs,
        expectedDisplayMs: frame.expectedDisplayMs + offsetMs, receiveMs: moved(frame.receiveMs),
      });
    }
    if (stats === null) return { framesPerSecond: 0, goodputBps: 0, lost: status.state === 'failed' };
    const timeMs = stats.timeMs + offsetMs;
    this.#trial.stats({ ...stats, timeMs });
    this.#trial.page({ timeMs, mainThreadDelayMaxMs, visible });
    const now = { timeMs, bytes: Number(stats.inbound?.['bytesReceived'] ?? 0), frames: status.presentedFrames };
    const before = this.#last ?? now;
    this.#last = now;
    const seconds = Math.max(1e-3, (now.timeMs - before.timeMs) / 1000);
    return { framesPerSecond: (now.frames - before.frames) / seconds, goodputBps: (now.bytes - before.bytes) * 8 / seconds, lost: status.state === 'failed' };
  }
}

async function openPage({ page }: BrowserWindow, url: string): Promise<void> {
  try {
    await page.goto(url, { timeout: firstPictureMs });
  } catch (error) {
    throw new CoexistError('browser-failed', `the browser could not open the media server's page: ${messageOf(error).split('\n')[0]}`, { cause: error });
  }
}

/** The value of an expression in the page. */
async function ask<T>({ page }: BrowserWindow, expression: string): Promise<T> {
  try {
    return await page.evaluate<T>(expression);
  } catch (error) {
    throw new CoexistError('browser-died', `the browser's page does not answer: ${messageOf(error).split('\n')[0]}`, { cause: error });
  }
}

function pageFailure(status: PageStatus): CoexistError {
  const { code, message } = status.failure!;
  if (code !== 'no-h264') return new CoexistError('no-picture', message);
  return new CoexistError('no-h264', message, { hint: 'use Debian\'s Chromium or Google Chrome; name it with CHROMIUM_PATH' });
}

class LiveClip implements PreparedService {
  readonly #context: StudyContext;
  readonly #command: LoadCommand;
  #server: MediaServer | undefined;

  constructor(context: StudyContext, command: LoadCommand) {
    this.#context = context;
    this.#command = command;
  }

  /** A media server with the clip in memory: the one that runs, or a new one where there is none. */
  async ready(): Promise<MediaServer> {
    if (this.#server?.alive === true) return this.#server;
    const server = this.#server = new MediaServer(this.#context.network.hosts.server);
    await server.load(this.#command);
    return server;
  }

  async open(trial: TrialContext, params: Params): Promise<RunningService> {
    return Viewing.open(await this.ready(), this.#context, trial, params);
  }

  async close(): Promise<void> {
    await this.#server?.stop();
  }
}

/** What a media server must be started anew for; everything else changes from trial to trial. */
function loadCommand(params: Params, host: string, scratch: string): LoadCommand {
  return {
    type: 'load',
    clip: { path: clipPath(params.clip), width: params.width, height: params.height, maxSeconds: params.clipLength / 1000 },
    encoder: { name: params.encoder, preset: params.preset ?? null, threads: params.encoderThreads },
    listen: { host, port: params.port },
    scratch,
  };
}

export const plugin: ServicePlugin = {
  id: 'live-clip',
  title: 'live clip over WebRTC',
  source: 'Juntima et al., section 3: gamer A and receiver B',
  params: paramsSchema,
  async check(params: Params) {
    findBrowser();
    await checkClip(params.clip);
  },
  preparationKey: (params: Params) => JSON.stringify(loadCommand(params, '', '')),
  async prepare(context, params: Params) {
    const service = new LiveClip(context, loadCommand(params, context.network.addresses.server, context.scratch));
    try {
      await service.ready();
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  },
};
