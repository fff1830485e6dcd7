/**
 * A call between two browsers. Chromium on the server's host has a camera that shows the clip and, if asked, a
 * microphone that plays a voice, and sends both to Chromium on the client's host. The sending browser uses its own
 * congestion control. So the call is the reference for `live-clip`, and as a service it represents a video meeting.
 */
import type { CallerDrain, CallOptions, CallVoice } from '../../../client/wire.ts';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { type ClockOffset, measureClock } from '../../../core/system/clock.ts';
import { until } from '../../../core/system/deadline.ts';
import { formatFrameRate } from '../../../core/text/frame-rate.ts';
import type { ClipFacts } from '../../../core/vocabulary/clip-facts.ts';
import { clipNotes } from '../../../core/vocabulary/clip-words.ts';
import { type FeedbackFormat, feedbackIn } from '../../../core/vocabulary/feedback-format.ts';
import { requireMemory } from '../../../server/media/clip.ts';
import { voiceWireBps } from '../../../server/media/voice/rate.ts';
import { callerSeries } from '../../record/series/caller.ts';
import { connectionSeries } from '../../record/series/connection.ts';
import { voiceSpokenSeries } from '../../record/series/voice.spoken.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import { type BrowserWindow, openBrowser } from '../../trial/browser/launch.ts';
import { ask, evaluate } from '../../trial/browser/page.ts';
import { checkClip, clipNoteLines, inspectionLines } from '../clip-facts.ts';
import { clipPath, isNamedClip } from '../clips.ts';
import type { LiveValues, RunningService, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { rtpOnLinkBps } from '../shared/on-link.ts';
import { checkedAnswer, checkedTime, unixMs } from '../shared/page-values.ts';
import { patienceMs } from '../shared/patience.ts';
import { checkVoice, isNamedVoice, voiceLines, voiceOptions } from '../shared/voice-params.ts';
import { VoiceWriter } from '../shared/voice-writer.ts';
import { firstFrameMs, rampMs, Viewer } from '../viewer.ts';
import { withRates } from './answer-rates.ts';
import { callerSchema, descriptionSchema } from './caller-answers.ts';
import { cameraFile, cameraFrameRate, cameraSwitches } from './camera-file.ts';
import { requireEct1, requireFeedback, trialSwitches, uses } from './controller.ts';
import { microphoneFile, microphoneSwitch, redundancyTrial, withVoice } from './microphone.ts';
import { offerPort } from './offer-port.ts';
import { openCallPage } from './pages.ts';
import { type Params, paramsSchema } from './params.ts';

type Browsers = { caller: BrowserWindow; callee: BrowserWindow };

/** Paths of the files used as the camera and as the microphone (null: the call has no voice), and facts about the clip. */
type Devices = { camera: string; microphone: string | null; facts: ClipFacts };

/** Names of the two pages in messages. */
type Names = { caller: string; callee: string };

/** Feedback formats that the caller has offered, and those that the callee has accepted. */
type Negotiated = { offered: readonly FeedbackFormat[]; agreed: readonly FeedbackFormat[] };

/** Field trials of the two browsers. */
function fieldTrials({ controller, fieldTrials, receiverFieldTrials, audio }: Params) {
  const { sender, receiver } = uses[controller];
  return {
    caller: sender + redundancyTrial(audio) + (fieldTrials ?? ''),
    callee: receiver + (receiverFieldTrials ?? ''),
  };
}

/** Returns an expression that calls a function of a page of the call. */
const call = (name: string, ...values: unknown[]) =>
  `coexist.${name}(${values.map(value => JSON.stringify(value)).join(', ')})`;

const callVoice = ({ bitrate, red, sync }: NonNullable<Params['audio']>): CallVoice => ({
  maxBps: bitrate,
  isRedundant: red > 0,
  sync,
});

function callOptions({ width, height, codec, ...params }: Params): CallOptions {
  const { maxBitrate, degradation, audio } = params;
  return {
    width,
    height,
    frameRate: cameraFrameRate(params),
    codec,
    maxBps: maxBitrate,
    degradation: degradation === 'browser' ? null : degradation,
    audio: audio === undefined ? null : callVoice(audio),
  };
}

export class Call implements RunningService {
  readonly failed: Promise<never>;
  readonly readyMs: number;
  readonly #browsers: Browsers;
  readonly #names: Names;
  readonly #viewer: Viewer;
  readonly #callerClock: ClockOffset;
  readonly #trial: TrialContext;
  readonly #params: Params;
  readonly #clip: ClipFacts;
  readonly #negotiated: Negotiated;
  readonly #spoken: VoiceWriter;
  #encoder = 'unknown';

  private constructor(
    browsers: Browsers,
    names: Names,
    viewer: Viewer,
    callerClock: ClockOffset,
    trial: TrialContext,
    params: Params,
    clip: ClipFacts,
    negotiated: Negotiated,
  ) {
    this.#clip = clip;
    this.#negotiated = negotiated;
    this.#browsers = browsers;
    this.#names = names;
    this.#viewer = viewer;
    this.#callerClock = callerClock;
    this.#trial = trial;
    this.#params = params;
    const page = { name: names.caller, offsetMs: callerClock.offsetMs };
    this.#spoken = new VoiceWriter(voiceSpokenSeries, trial.write, page);
    this.readyMs = viewer.firstFrameMs;
    this.failed = Promise.race([browsers.caller.died, browsers.callee.died]);
    this.failed.catch(() => {});
  }

  /** Opens a call. `launch`: starts a browser; tests replace it. */
  static async open(
    { camera, microphone, facts }: Devices,
    study: StudyContext,
    trial: TrialContext,
    params: Params,
    launch: typeof openBrowser = openBrowser,
  ): Promise<Call> {
    const { width, height } = params;
    const { server, client } = study.network.hosts;
    const names = {
      caller: `chromium-call's caller on ${server.name}`,
      callee: `chromium-call's callee on ${client.name}`,
    };
    const common = { executable: findBrowser(), scratch: study.scratch, width, height };
    const trials = fieldTrials(params);
    const callee = await launch({
      ...common,
      host: client,
      headed: study.headed,
      switches: trialSwitches(trials.callee),
    });
    let caller: BrowserWindow | undefined;
    try {
      caller = await launch({
        ...common,
        host: server,
        headed: false,
        files: [camera, ...(microphone === null ? [] : [microphone])],
        switches: [
          ...cameraSwitches(camera),
          ...(microphone === null ? [] : [microphoneSwitch(microphone)]),
          ...trialSwitches(trials.caller),
        ],
      });
      const browsers = { caller, callee };
      const died = Promise.race([caller.died, callee.died]);
      const connect = async () => {
        await Promise.all([openCallPage(browsers.caller, 'caller'), openCallPage(callee, 'callee')]);
        const [viewer, callerClock] = [
          await Viewer.of(callee, trial, names.callee),
          await measureClock(async () =>
            checkedAnswer(unixMs, await ask(browsers.caller, 'coexist.timeMs()'), names.caller),
          ),
        ];
        const offered = await inCall(browsers.caller, call('offer', callOptions(params)));
        const offer = checkedAnswer(descriptionSchema, offered, names.caller);
        await trial.tunnel?.carry(offerPort(offer, study.network.addresses.server));
        const answer = checkedAnswer(descriptionSchema, await inCall(callee, call('answer', offer)), names.callee);
        const negotiated = { offered: feedbackIn(offer), agreed: feedbackIn(answer) };
        requireFeedback(params.controller, negotiated.agreed, browsers.caller.version);
        const rates = {
          startBps: Math.min(params.startBitrate, params.maxBitrate),
          minBps: params.minBitrate,
          maxBps: params.maxBitrate,
        };
        const rated = withRates(answer, params.codec, rates);
        const told = params.audio === undefined ? rated : withVoice(rated, params.audio);
        await inCall(browsers.caller, call('accept', told));
        await viewer.playing();
        const running = new Call(browsers, names, viewer, callerClock, trial, params, facts, negotiated);
        await running.#requireEct1();
        if (microphone !== null) await running.#speaking();
        return running;
      };
      return await Promise.race([died, connect()]);
    } catch (error) {
      await Promise.all([callee.close(), caller?.close()]);
      throw error;
    }
  }

  async collect(): Promise<LiveValues> {
    const [values, { state }] = await Promise.all([this.#viewer.collect(), this.#collectCaller()]);
    return { ...values, lost: values.lost || state === 'failed' };
  }

  /** Throws `no-browser` if the sending browser should mark its packets and does not. */
  async #requireEct1(): Promise<void> {
    const { controller } = this.#params;
    if (!uses[controller].setsEct1) return;
    const { outbound } = await this.#collectCaller();
    const sent = { packets: outbound?.['packetsSent'], withEct1: outbound?.['packetsSentWithEct1'] };
    requireEct1(controller, sent, this.#browsers.caller.version);
  }

  /**
   * Waits until the calling page captures a voice, and throws `no-video` if it does not: a browser that cannot read its
   * microphone's file says nothing and captures silence. There is a chirp within the first second of every voice.
   */
  async #speaking(): Promise<void> {
    await until(
      async () => {
        const { spoken } = await this.#collectCaller();
        return spoken.some(({ pcm }) => Buffer.from(pcm, 'base64').some(byte => byte !== 0)) ? true : undefined;
      },
      patienceMs(firstFrameMs, this.#trial, 'firstFrame'),
      "the voice of the calling browser's microphone",
      { code: 'no-video', everyMs: 250 },
    );
  }

  /** Writes what the calling page has collected. */
  async #collectCaller(): Promise<CallerDrain> {
    const { caller } = this.#names;
    const read = checkedAnswer(callerSchema, await ask(this.#browsers.caller, 'coexist.drain()'), caller);
    const { mainThreadDelayMaxMs, visible, state: _, events, spoken, ...sample } = read;
    const timeMs = checkedTime(sample.timeMs + this.#callerClock.offsetMs, caller);
    for (const event of events)
      this.#trial.write(connectionSeries, {
        ...event,
        timeMs: checkedTime(event.timeMs + this.#callerClock.offsetMs, caller),
        end: 'sender',
      });
    this.#spoken.write(spoken);
    this.#encoder = String(sample.outbound?.['encoderImplementation'] ?? this.#encoder);
    this.#trial.write(callerSeries, { ...sample, timeMs, mainThreadDelayMaxMs, visible });
    return read;
  }

  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    return { server: this.#callerClock, page: this.#viewer.clock };
  }

  describe(): Record<string, unknown> {
    const { clip, width, height, codec, controller, audio } = this.#params;
    const { caller, callee } = fieldTrials(this.#params);
    const { offered, agreed } = this.#negotiated;
    return {
      clip: { path: clipPath(clip), ...this.#clip },
      encoder: { codec, implementation: this.#encoder },
      browser: this.#browsers.callee.version,
      controller: {
        id: 'browser',
        title: `${uses[controller].title} of the browser`,
        params: { controller, fieldTrials: caller, receiverFieldTrials: callee },
      },
      feedback: agreed.find(format => format !== 'remb') ?? agreed[0],
      negotiated: { offered, agreed },
      ...(audio === undefined ? {} : { voice: audio }),
      video: { width, height, frameRate: cameraFrameRate(this.#params) },
    };
  }

  notes(): readonly string[] {
    return clipNotes(this.#clip);
  }

  /** Null: the call sends over RTP. */
  transport(): null {
    return null;
  }

  async setPaused(isPaused: boolean): Promise<void> {
    await ask(this.#browsers.caller, call('setPaused', isPaused));
  }

  async stop(): Promise<void> {
    await ask(this.#browsers.caller, 'coexist.close()').catch(() => {}); // the browser closes it in any case
    await this.#viewer.close();
    await Promise.all([this.#browsers.caller.close(), this.#browsers.callee.close()]);
  }
}

/** Evaluates an expression in a page, as a step of the call's setup. An error of the page becomes `no-video`. */
async function inCall(browser: BrowserWindow, expression: string): Promise<unknown> {
  try {
    return await evaluate(browser, expression);
  } catch (error) {
    if (error instanceof CoexistError) throw error;
    const reason = messageOf(error)
      .split('\n')[0]!
      .replace(/^page\.evaluate: (Error: )?/, '');
    throw new CoexistError('no-video', `the call was not made: ${reason}`, { cause: error });
  }
}

export const plugin: ServicePlugin<Params> = {
  id: 'chromium-call',
  files: { clip: isNamedClip, 'audio.voice': isNamedVoice },
  kind: 'video-call',
  overUdp: true,
  canPause: true,
  title: 'call from Chromium to Chromium',
  source: 'libwebrtc as the browser has it; Philip et al., section 3: real-time services',
  params: paramsSchema,
  capBps: ({ maxBitrate, frameRate, audio }) =>
    rtpOnLinkBps(maxBitrate, frameRate) + (audio === undefined ? 0 : voiceWireBps(voiceOptions(audio, null))),
  warmUpMs: params => rampMs(params.startBitrate, params.maxBitrate),
  frameRate: ({ frameRate }) => frameRate,
  async check({ clip, clipLength, audio, ...size }) {
    findBrowser();
    requireMemory((await checkClip(clip, clipLength)).frames, size);
    if (audio !== undefined) checkVoice(audio);
  },
  async inspect({ clip, clipLength, width, height, frameRate, audio }) {
    const rate = cameraFrameRate({ frameRate });
    const lines = [
      ...(await inspectionLines(clip, clipLength, { width, height, frameRate: rate })),
      ...(await clipNoteLines(clip, clipLength)),
      ...(audio === undefined ? [] : voiceLines(audio)),
    ];
    if (rate === frameRate) return lines;
    const asked = formatFrameRate(frameRate);
    return [...lines, `note: Chromium's cameras have whole rates: ${rate} frames per second stand for ${asked}`];
  },
  preparationKey: ({ clip, clipLength, width, height, frameRate, codec, audio }) =>
    JSON.stringify({ clip, clipLength, width, height, frameRate, codec, voice: audio?.voice }),
  async prepare(context, params) {
    const facts = await checkClip(params.clip, params.clipLength);
    const microphone = params.audio === undefined ? null : microphoneFile(params.audio, context.scratch);
    const devices = { camera: await cameraFile(params), microphone, facts };
    return { open: (trial, given) => Call.open(devices, context, trial, given), close: async () => {} };
  },
};
