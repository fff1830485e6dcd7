/** One use of the live clip: a browser that is prepared in advance, and the stream that it shows. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import type { ClockOffset } from '../../../core/system/clock.ts';
import { clipNotes } from '../../../core/vocabulary/clip-words.ts';
import { udpProtocol } from '../../../core/vocabulary/udp.ts';
import { recordFiles } from '../../../server/control/record-files.ts';
import { Marker } from '../../../shaper/marking/marker.ts';
import { senderSeries } from '../../record/series/sender.ts';
import { findBrowserOn } from '../../trial/browser/find.ts';
import { type BrowserOptions, type BrowserWindow, openBrowser } from '../../trial/browser/launch.ts';
import { goTo } from '../../trial/browser/page.ts';
import { clipPath } from '../clips.ts';
import type { ArmedService, LiveValues, RunningService, StudyContext, TrialContext } from '../service.ts';
import type { MediaServer } from '../shared/media-server.ts';
import { patienceMs } from '../shared/patience.ts';
import { voiceOrder } from '../shared/voice-params.ts';
import { firstFrameMs, Viewer } from '../viewer.ts';
import { ectOf, type Params } from './params.ts';

/**
 * Returns the switches with which a browser offers the requested feedback and error correction (libwebrtc 2026-08,
 * g3doc/field-trials.md).
 */
function fieldTrials({ feedback, protection }: Params): string[] {
  const trials = [
    ...(feedback === 'ccfb' ? ['WebRTC-RFC8888CongestionControlFeedback/Enabled,offer:true/'] : []),
    ...(protection > 0 ? ['WebRTC-FlexFEC-03-Advertised/Enabled/'] : []),
  ];
  return trials.length === 0 ? [] : [`--force-fieldtrials=${trials.join('')}`];
}

/** UDP port of the media server if a tunnel or a marker has to know it in advance. Chromium sends to hardly any port below 1024. */
const mediaPort = 50_000;

/** Starts to mark the RTP packets of the media if the parameters ask for it. */
async function startMarker({ network }: StudyContext, params: Params): Promise<Marker | undefined> {
  const to = ectOf(params);
  if (to === null) return undefined;
  const rule = { protocol: udpProtocol, port: mediaPort, onlyRtp: true, ecn: { from: 'not-ect', to } } as const;
  return Marker.start(network.hosts.server, network.addresses.client, rule);
}

class Viewing implements RunningService {
  readonly failed: Promise<never>;
  readonly readyMs: number;
  readonly #server: MediaServer;
  readonly #browser: BrowserWindow;
  readonly #viewer: Viewer;
  readonly #params: Params;
  readonly #marker: Marker | undefined;
  /** Copies the files that the server has written for the record to this machine. */
  readonly #bring: () => Promise<void>;

  private constructor(
    server: MediaServer,
    browser: BrowserWindow,
    viewer: Viewer,
    params: Params,
    marker: Marker | undefined,
    bring: () => Promise<void>,
  ) {
    this.#server = server;
    this.#browser = browser;
    this.#viewer = viewer;
    this.#params = params;
    this.#marker = marker;
    this.#bring = bring;
    this.readyMs = viewer.firstFrameMs;
    this.failed = Promise.race([server.failed, browser.died, ...(marker === undefined ? [] : [marker.failed])]);
    this.failed.catch(() => {});
  }

  /**
   * Starts the stream. `browser`: shows an empty page. `place`: folder on the server's host for the files of the
   * record.
   */
  static async open(
    server: MediaServer,
    browser: BrowserWindow,
    study: StudyContext,
    trial: TrialContext,
    place: string,
    params: Params,
  ): Promise<Viewing> {
    const marker = await startMarker(study, params);
    try {
      return await Viewing.#open(server, browser, study, trial, place, params, marker);
    } catch (error) {
      await marker?.stop();
      throw error;
    }
  }

  static async #open(
    server: MediaServer,
    browser: BrowserWindow,
    study: StudyContext,
    trial: TrialContext,
    place: string,
    params: Params,
    marker: Marker | undefined,
  ): Promise<Viewing> {
    const token = randomBytes(16).toString('hex');
    await server.open({
      type: 'open',
      token,
      recordDirectory: params.record ? place : null,
      keepVideo: params.pictureQuality,
      settleMs: params.settle,
      ...(trial.tunnel === undefined && marker === undefined ? {} : { mediaPort }),
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
        ...(params.audio === undefined ? {} : { voice: await voiceOrder(params.audio, study.network.hosts.server) }),
      },
    });
    server.onSample = sample => trial.write(senderSeries, sample);
    const query = new URLSearchParams({
      token,
      ...(params.audio === undefined ? {} : { voice: '1' }),
      ...(study.window === undefined ? {} : { caption: study.window.caption }),
    });
    const died = Promise.race([server.failed, browser.died]);
    await Promise.race([
      died,
      goTo(
        browser,
        `${server.loaded!.url}?${query}`,
        "the media server's page",
        patienceMs(firstFrameMs, trial, 'page'),
      ),
    ]);
    const viewer = await Viewer.of(browser, trial, `live-clip's page on ${study.network.hosts.client.name}`);
    await Promise.race([died, viewer.playing()]);
    const { server: host } = study.network.hosts;
    return new Viewing(server, browser, viewer, params, marker, async () => {
      if (!params.record) return;
      const { video, voice, voiceClip, ...series } = recordFiles;
      const names = [
        ...Object.values(series),
        ...(params.pictureQuality ? [video] : []),
        ...(params.audio === undefined ? [] : [voice, voiceClip]),
      ];
      await Promise.all(names.map(name => host.bring(join(trial.directory, name), join(place, name))));
    });
  }

  /** Returns the live values. The connection counts as lost if either page or server reports that it is. */
  async collect(): Promise<LiveValues> {
    const live = await this.#viewer.collect();
    return { ...live, lost: live.lost || this.#server.gone !== undefined };
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
      ...(this.#params.ecn ? { ect: ectOf(this.#params) } : {}),
      ...(this.#params.audio === undefined ? {} : { voice: this.#params.audio }),
      video: { width: this.#params.width, height: this.#params.height, frameRate: this.#params.frameRate },
    };
  }

  notes(): readonly string[] {
    return clipNotes(this.#server.loaded!.clip);
  }

  /** Null: the stream is sent over RTP. */
  transport(): null {
    return null;
  }

  async stop(): Promise<void> {
    await this.#viewer.close();
    await Promise.all([this.#browser.close(), this.#server.alive ? this.#server.close() : undefined]);
    this.#server.onSample = () => {};
    await this.#marker?.stop();
    if (this.#server.alive) await this.#bring();
  }
}

/**
 * A prepared use of the live clip: a media server with the clip in memory, a browser, and a tunnel if requested. Only
 * the stream is missing.
 */
export class ArmedViewing implements ArmedService {
  readonly #browser: BrowserWindow;
  readonly #open: () => Promise<RunningService>;

  private constructor(browser: BrowserWindow, open: () => Promise<RunningService>) {
    this.#browser = browser;
    this.#open = open;
  }

  /** Prepares a use. `launch`: starts a browser; tests replace it. */
  static async arm(
    server: MediaServer,
    study: StudyContext,
    trial: TrialContext,
    params: Params,
    launch: (options: Omit<BrowserOptions, 'executable'>) => Promise<BrowserWindow> = async options =>
      openBrowser({ ...options, executable: await findBrowserOn(options.host) }),
  ): Promise<ArmedViewing> {
    if (params.ecn && trial.tunnel !== undefined)
      throw new CoexistError(
        'bad-definition',
        'ECN marks of the media do not pass a tunnel: leave out ecn or the tunnel',
      );
    await trial.tunnel?.carry(mediaPort);
    const place = await study.network.hosts.server.folderOf(trial.directory);
    const browser = await launch({
      host: study.network.hosts.client,
      scratch: study.scratch,
      headed: study.headed,
      width: params.width,
      height: params.height,
      switches: fieldTrials(params),
      ...(study.window === undefined ? {} : { place: study.window.place }),
    });
    return new ArmedViewing(browser, () => Viewing.open(server, browser, study, trial, place, params));
  }

  async begin(): Promise<RunningService> {
    try {
      return await this.#open();
    } catch (error) {
      await this.#browser.close();
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.#browser.close();
  }
}
