/** Adaptive video on demand: a player in Chromium chooses rungs of a ladder by the speed at which segments arrive. */
import { existsSync } from 'node:fs';
import type { VideoDrain, VideoOrder } from '../../../client/wire.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { ClockOffset } from '../../../core/system/clock.ts';
import { until } from '../../../core/system/deadline.ts';
import { projectRoot } from '../../../core/system/paths.ts';
import type { ClipFacts } from '../../../core/vocabulary/clip-facts.ts';
import { serviceSeries } from '../../record/series/service.ts';
import type { TransportReading } from '../../record/transport.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import { checkClip, inspectionLines } from '../clip-facts.ts';
import { clipPath, isNamedClip, madeOfClip } from '../clips.ts';
import type { LiveValues, RunningService, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { checkCongestionControl, neededBbr3 } from '../shared/congestion-param.ts';
import { Goodput } from '../shared/goodput.ts';
import { http3Version } from '../shared/http3-program.ts';
import { tcpOnLinkBps } from '../shared/on-link.ts';
import { patienceMs } from '../shared/patience.ts';
import { ServedPage } from '../shared/served-page.ts';
import { videoSchema } from './drain.ts';
import { rungsBps, segmentCount, segmentS } from './ladder.ts';
import { type Params, paramsSchema } from './params.ts';
import { playerFiles } from './players.ts';

/**
 * Frames of the ladder. They are so small that decoding costs little, and a segment of them has fewer bytes than the
 * smallest segment of the lowest rung.
 */
const content = { width: 640, height: 360, frameRate: 30, seconds: 20, bps: 90_000 };
const keptVideos = 5;
const firstFrameMs = 30_000;

/** Path of the clip as the player's video, and facts about the clip. */
type Made = { file: string; facts: ClipFacts };

class Video implements RunningService {
  readonly failed: Promise<never>;
  readyMs = 0;
  readonly #page: ServedPage;
  readonly #trial: TrialContext;
  readonly #params: Params;
  readonly #goodput = new Goodput();
  readonly #clip: ClipFacts;
  #startupMs = 0;
  #protocols: readonly string[] = [];
  #last: { timeMs: number; frames: number } | undefined;

  private constructor(page: ServedPage, trial: TrialContext, params: Params, clip: ClipFacts) {
    this.#clip = clip;
    this.#page = page;
    this.#trial = trial;
    this.#params = params;
    this.failed = page.failed;
  }

  static async open(video: Made, study: StudyContext, trial: TrialContext, params: Params): Promise<Video> {
    const { player, connections, protocol, topRate, buffer } = params;
    const page = await ServedPage.open(study, trial, {
      name: 'the video',
      congestion: params,
      origins: connections,
      protocol,
      width: content.width,
      height: content.height,
      program: new URL('./segment-server.ts', import.meta.url),
      config: { video: video.file, topBps: topRate, player },
    });
    const running = new Video(page, trial, params, video.facts);
    try {
      const order: VideoOrder = { player, origins: [...page.origins], bufferS: buffer / 1000, segmentS };
      await page.start(order);
      await Promise.race([page.failed, running.#playing()]);
      return running;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  async collect(): Promise<LiveValues> {
    const { timeMs, receivedBytes, presentedFrames, openStallMs } = await this.#drain();
    if (openStallMs > this.#params.patience)
      throw new CoexistError('service-failed', `the video has stalled for ${Math.round(openStallMs / 1000)} s`);
    const before = this.#last ?? { timeMs, frames: presentedFrames };
    this.#last = { timeMs, frames: presentedFrames };
    return {
      ...this.#goodput.since(timeMs, receivedBytes),
      framesPerSecond: ((presentedFrames - before.frames) * 1000) / Math.max(1, timeMs - before.timeMs),
    };
  }

  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    return this.#page.clocks();
  }

  describe(): Record<string, unknown> {
    const { player, connections, protocol, topRate, clip } = this.#params;
    return {
      ...this.#page.describe(),
      clip: { path: clipPath(clip), ...this.#clip },
      video: { width: content.width, height: content.height, frameRate: content.frameRate },
      player,
      connections,
      protocol,
      nextHopProtocols: this.#protocols,
      rungsBps: rungsBps.filter(bps => bps <= topRate),
      segmentS,
      startupMs: this.#startupMs,
    };
  }

  transport(): TransportReading | null {
    return this.#page.transport();
  }

  async stop(): Promise<void> {
    await this.#page.close();
  }

  async #playing(): Promise<void> {
    const { startupMs, timeMs } = await until(
      async () => {
        const drained = await this.#drain();
        return drained.startupMs === null ? undefined : { ...drained, startupMs: drained.startupMs };
      },
      patienceMs(firstFrameMs, this.#trial, 'firstFrame'),
      'the first frame of the video',
      { code: 'service-failed', everyMs: 100 },
    );
    this.#startupMs = startupMs;
    this.readyMs = timeMs;
  }

  async #drain(): Promise<VideoDrain> {
    const [drained] = await this.#page.drain(videoSchema);
    const {
      timeMs,
      receivedBytes,
      positionS,
      bufferS,
      rung,
      stallCount,
      stalledMs,
      presentedFrames,
      droppedFrames,
      segments,
      stalls,
      protocols,
      failure,
      offsetMs,
    } = drained;
    if (failure !== null) throw new CoexistError('service-failed', `the video ended: ${failure}`);
    const other = protocols.find(protocol => protocol !== this.#params.protocol);
    if (other !== undefined)
      throw new CoexistError(
        'service-failed',
        `the browser fetched a segment over ${other === '' ? 'an unknown protocol' : other}, not ${this.#params.protocol}`,
      );
    this.#protocols = protocols;
    for (const { endMs, ...segment } of segments)
      this.#trial.write(serviceSeries, {
        timeMs: endMs + offsetMs,
        kind: 'segment',
        rungBps: rungsBps[segment.rung]!,
        ...segment,
      });
    for (const { endMs, ...stall } of stalls)
      this.#trial.write(serviceSeries, { timeMs: endMs + offsetMs, kind: 'stall', ...stall });
    this.#trial.write(serviceSeries, {
      timeMs,
      kind: 'video',
      receivedBytes,
      positionS,
      bufferS,
      rung,
      rungBps: rung === null ? null : rungsBps[rung]!,
      stalls: stallCount,
      stalledMs,
      presentedFrames,
      droppedFrames,
    });
    return drained;
  }
}

/**
 * Returns the path of the clip as a video with small frames. The length of a segment is the length of its fragments.
 */
function video({ clip }: Params): Promise<string> {
  const { width, height, frameRate, seconds, bps } = content;
  return madeOfClip({
    clip,
    folder: 'videos',
    extension: 'mp4',
    kept: keptVideos,
    program: new URL('../../media/write-fragments.ts', import.meta.url),
    words: [width, height, frameRate, seconds, segmentS, bps].map(String),
    what: 'a video in fragments',
  });
}

export const plugin: ServicePlugin<Params> = {
  id: 'abr-video',
  files: { clip: isNamedClip },
  kind: 'video',
  title: 'adaptive video',
  source: 'Philip et al., table 1: YouTube (BBR, one flow), Netflix (NewReno, four), Vimeo (BBR, two)',
  params: paramsSchema,
  capBps: ({ topRate }) => tcpOnLinkBps(rungsBps.findLast(bps => bps <= topRate)!),
  warmUpMs: ({ buffer }) => 2 * buffer, // by then the buffer is full, if the link carries twice the top rung
  longestMs: ({ buffer }) => segmentCount * segmentS * 1000 - buffer, // by then the last segment is fetched
  async check({ congestionControl, player, protocol, clip }) {
    findBrowser();
    if (!existsSync(`${projectRoot}${playerFiles[player]}`))
      throw new CoexistError('missing-program', `the player ${player} is not installed`, { hint: 'run "npm ci"' });
    await Promise.all([
      protocol === 'h3' ? http3Version() : checkCongestionControl(congestionControl),
      checkClip(clip, content.seconds * 1000),
    ]);
  },
  inspect: ({ clip }) => inspectionLines(clip, content.seconds * 1000, content),
  // HTTP/3 has BBRv3 in its program, not in the kernel
  neededBbr3: params => (params.protocol === 'h3' ? null : neededBbr3(params)),
  kernelControl: ({ protocol, congestionControl: asked }) => (protocol === 'h3' ? null : asked),
  preparationKey: ({ clip }) => clip,
  async prepare(study, params) {
    const made = { file: await video(params), facts: await checkClip(params.clip, content.seconds * 1000) };
    return { open: (trial, given) => Video.open(made, study, trial, given), close: async () => {} };
  },
};
