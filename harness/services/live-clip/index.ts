/**
 * The live clip: a media server encodes a clip as it goes and streams it over WebRTC into Chromium,
 * as a cloud-gaming server does with its game.
 */
import { randomBytes } from 'node:crypto';
import type { ClockOffset } from '../../../core/clock.ts';
import { findBrowser } from '../../browser/find.ts';
import { openBrowser } from '../../browser/launch.ts';
import type { BrowserWindow } from '../../browser/launch.ts';
import { goTo } from '../../browser/page.ts';
import type { LoadCommand } from '../../../server/control/protocol.ts';
import type {
  LiveValues,
  PreparedService,
  RunningService,
  ServicePlugin,
  StudyContext,
  TrialContext,
} from '../service.ts';
import { Viewer, firstFrameMs, rampMs } from '../viewer.ts';
import { checkClip, clipPath, isNamedClip } from '../clips.ts';
import { MediaServer } from './media-server.ts';
import { paramsSchema } from './params.ts';
import type { Params } from './params.ts';

/**
 * What a browser must be told so that it offers a kind of feedback, and error correction (libwebrtc 2026-08,
 * g3doc/field-trials.md).
 */
function fieldTrials({ feedback, protection }: Params): string[] {
  const trials = [
    ...(feedback === 'ccfb' ? ['WebRTC-RFC8888CongestionControlFeedback/Enabled,offer:true/'] : []),
    ...(protection > 0 ? ['WebRTC-FlexFEC-03-Advertised/Enabled/'] : []),
  ];
  return trials.length === 0 ? [] : [`--force-fieldtrials=${trials.join('')}`];
}

/** Where the media server takes UDP, when it has to be known beforehand. Chromium sends to none below 1024 but a few. */
const mediaPort = 50_000;

class Viewing implements RunningService {
  readonly failed: Promise<never>;
  readonly readyMs: number;
  readonly #server: MediaServer;
  readonly #browser: BrowserWindow;
  readonly #viewer: Viewer;
  readonly #params: Params;

  private constructor(server: MediaServer, browser: BrowserWindow, viewer: Viewer, params: Params) {
    this.#server = server;
    this.#browser = browser;
    this.#viewer = viewer;
    this.#params = params;
    this.readyMs = viewer.firstFrameMs;
    this.failed = Promise.race([server.failed, browser.died]);
    this.failed.catch(() => {});
  }

  static async open(server: MediaServer, study: StudyContext, trial: TrialContext, params: Params): Promise<Viewing> {
    const token = randomBytes(16).toString('hex');
    await trial.tunnel?.carry(mediaPort);
    await server.open({
      type: 'open',
      token,
      recordDirectory: params.record ? trial.directory : null,
      keepVideo: params.pictureQuality,
      settleMs: params.settle,
      ...(trial.tunnel === undefined ? {} : { mediaPort }),
      stream: {
        frameRate: params.frameRate,
        startBps: Math.min(params.startBitrate, params.maxBitrate),
        minBps: params.minBitrate,
        maxBps: params.maxBitrate,
        controller: { id: params.controller.id, params: params.controller.params },
        feedback: params.feedback,
        protectionRatio: params.protection,
        degradation: params.degradation,
        playoutDelay: params.playout === 'immediate' ? { minMs: 0, maxMs: 0 } : null,
        pacerLimitMs: params.pacerLimit,
        ...(params.clipStart === 'clock' ? { clipZeroMs: 0 } : {}),
      },
    });
    server.onSample = sample => trial.sender(sample);
    const browser = await openBrowser({
      executable: findBrowser(),
      host: study.network.hosts.client,
      scratch: study.scratch,
      headed: study.headed,
      width: params.width,
      height: params.height,
      switches: fieldTrials(params),
      ...(study.window === undefined ? {} : { place: study.window.place }),
    });
    const query = new URLSearchParams({
      token,
      ...(study.window === undefined ? {} : { caption: study.window.caption }),
    });
    try {
      const died = Promise.race([server.failed, browser.died]);
      await Promise.race([
        died,
        goTo(browser, `${server.loaded!.url}?${query}`, "the media server's page", firstFrameMs),
      ]);
      const viewer = await Viewer.of(browser, trial);
      await Promise.race([died, viewer.playing()]);
      return new Viewing(server, browser, viewer, params);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  collect(): Promise<LiveValues> {
    return this.#viewer.collect();
  }

  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    return { server: await this.#server.clock(), page: this.#viewer.clock };
  }

  describe(): Record<string, unknown> {
    const { clip, encoder, ffmpeg } = this.#server.loaded!;
    return {
      clip: { path: clipPath(this.#params.clip), ...clip },
      encoder,
      ffmpeg,
      browser: this.#browser.version,
      controller: this.#params.controller,
      feedback: this.#server.connected?.feedback,
      picture: { width: this.#params.width, height: this.#params.height, frameRate: this.#params.frameRate },
    };
  }

  /** It sends over RTP. */
  transport(): null {
    return null;
  }

  async stop(): Promise<void> {
    await this.#viewer.close();
    await Promise.all([this.#browser.close(), this.#server.alive ? this.#server.close() : undefined]);
    this.#server.onSample = () => {};
  }
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
    const server = (this.#server = new MediaServer(this.#context.network.hosts.server));
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
    clip: {
      path: clipPath(params.clip),
      width: params.width,
      height: params.height,
      maxSeconds: params.clipLength / 1000,
    },
    encoder: { name: params.encoder, preset: params.preset ?? null, threads: params.encoderThreads },
    listen: { host, port: params.port },
    scratch,
  };
}

/**
 * Processor time of server and browser together, x264 ultrafast, without a GPU: 0.38, 0.44 and 1.07 cores with 320x180
 * and 640x360 at 30 fps and 1280x720 at 60 fps (the record's `cpuRatio`, two cores of a shared machine, one trial each
 * and 12).
 */
const fixedCores = 0.36;
const coresPerPixelRate = 1.29e-8;

export const plugin: ServicePlugin = {
  id: 'live-clip',
  files: { clip: isNamedClip },
  kind: 'video-call',
  overUdp: true,
  title: 'live clip over WebRTC',
  source: 'Juntima et al., section 3: gamer A and receiver B',
  params: paramsSchema,
  capBps: (params: Params) => params.maxBitrate, // its controller's rates have the headers in them
  warmUpMs: (params: Params) => rampMs(params.startBitrate, params.maxBitrate),
  cores: ({ width, height, frameRate }: Params) => fixedCores + coresPerPixelRate * width * height * frameRate,
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
