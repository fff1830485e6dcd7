/**
 * Gives services access to a page that shows a stream (client/viewing.ts): to the page's clock and state, and to the
 * data for the record.
 */
import type { PageDrain, PageStatus, StatsSample } from '../../client/wire.ts';
import { CoexistError } from '../../core/errors.ts';
import type { z } from '../../core/schema/schema.ts';
import { type ClockOffset, measureClock } from '../../core/system/clock.ts';
import { until } from '../../core/system/deadline.ts';
import { connectionSeries } from '../record/series/connection.ts';
import { presentedSeries } from '../record/series/frames.presented.ts';
import { pageSeries } from '../record/series/page.ts';
import { statsSeries } from '../record/series/stats.ts';
import { voiceHeardSeries } from '../record/series/voice.heard.ts';
import type { BrowserWindow } from '../trial/browser/launch.ts';
import { ask } from '../trial/browser/page.ts';
import type { LiveValues, TrialContext } from './service.ts';
import { checkedAnswer, checkedTime, unixMs } from './shared/page-values.ts';
import { patienceMs } from './shared/patience.ts';
import { VoiceWriter } from './shared/voice-writer.ts';
import { drainSchema, statusSchema } from './viewer-drain.ts';

export const firstFrameMs = 15_000;

/**
 * Returns the milliseconds in which a sender without probes goes from `startBps` to `maxBps`: 8 % more per second
 * (draft-ietf-rmcat-gcc-02, section 5.5).
 */
export function rampMs(startBps: number, maxBps: number): number {
  return 1000 * Math.ceil(Math.log(Math.max(1, maxBps / startBps)) / Math.log(1.08));
}

/** Expressions to evaluate in the page (client/wire.ts, PageApi). */
const inPage = {
  timeMs: 'coexist.timeMs()',
  status: 'globalThis.coexist?.status()',
  drain: 'coexist.drain()',
  close: 'coexist.close()',
} as const;

function pageFailure({ failure }: PageStatus): CoexistError {
  const { code, message } = failure!;
  if (code !== 'no-h264') return new CoexistError('no-video', message);
  return new CoexistError('no-h264', message, {
    hint: "use Debian's Chromium or Google Chrome; name it with CHROMIUM_PATH",
  });
}

export class Viewer {
  readonly clock: ClockOffset;
  readonly #browser: BrowserWindow;
  readonly #trial: TrialContext;
  readonly #name: string;
  readonly #heard: VoiceWriter;
  #firstFrameMs = 0;
  #last: { timeMs: number; bytes: number; frames: number } | undefined;

  private constructor(browser: BrowserWindow, trial: TrialContext, name: string, clock: ClockOffset) {
    this.#browser = browser;
    this.#trial = trial;
    this.#name = name;
    this.clock = clock;
    this.#heard = new VoiceWriter(voiceHeardSeries, trial.write, { name, offsetMs: clock.offsetMs });
  }

  /**
   * Creates the viewer of a page that is open in `browser`. `name`: name of the page in messages, with service and
   * host.
   */
  static async of(browser: BrowserWindow, trial: TrialContext, name: string): Promise<Viewer> {
    const clock = await measureClock(async () => checkedAnswer(unixMs, await ask(browser, inPage.timeMs), name));
    return new Viewer(browser, trial, name, clock);
  }

  /** Time of the first frame on the harness's clock; without video, of the first that was heard. */
  get firstFrameMs(): number {
    return this.#firstFrameMs;
  }

  /**
   * Waits for the first frame. Throws `no-video` or `no-h264` with the page's reason, and `service-failed` if the page
   * reports impossible values.
   */
  async playing(): Promise<void> {
    await until(
      async () => {
        const status = await this.#answer(statusSchema.optional(), inPage.status);
        if (status?.state === 'failed') throw pageFailure(status);
        return status?.state === 'playing' ? status : undefined;
      },
      patienceMs(firstFrameMs, this.#trial, 'firstFrame'),
      'the first frame',
      { code: 'no-video', everyMs: 30 },
    );
    const drain = await this.#answer(drainSchema, inPage.drain);
    const firstMs = drain.frames[0]?.presentationMs ?? drain.heard[0]?.timeMs;
    if (firstMs === undefined)
      throw new CoexistError('no-video', 'the page says that it plays, and has shown no frame');
    this.#firstFrameMs = checkedTime(firstMs + this.clock.offsetMs, this.#name);
    this.#write(drain);
  }

  /**
   * Writes everything since the last call into the record. Throws `service-failed` if the page reports impossible
   * values.
   */
  async collect(): Promise<LiveValues> {
    return this.#write(await this.#answer(drainSchema, inPage.drain));
  }

  /** Closes the page's connection, so that the sender learns of the end at once and does not wait for a timeout. */
  async close(): Promise<void> {
    await ask(this.#browser, inPage.close).catch(() => {}); // the browser closes it in any case
  }

  async #answer<S extends z.ZodType>(schema: S, expression: string): Promise<z.output<S>> {
    return checkedAnswer(schema, await ask(this.#browser, expression), this.#name);
  }

  #write({ status, frames, heard, stats, events, mainThreadDelayMaxMs, visible }: PageDrain): LiveValues {
    const { offsetMs } = this.clock;
    for (const event of events)
      this.#trial.write(connectionSeries, {
        ...event,
        timeMs: checkedTime(event.timeMs + offsetMs, this.#name),
        end: 'receiver',
      });
    const moved = (ms: number | null) => (ms === null ? null : ms + offsetMs);
    for (const frame of frames) {
      this.#trial.write(presentedSeries, {
        ...frame,
        callbackMs: frame.callbackMs + offsetMs,
        presentationMs: frame.presentationMs + offsetMs,
        expectedDisplayMs: frame.expectedDisplayMs + offsetMs,
        receiveMs: moved(frame.receiveMs),
        ...(frame.captureTimeMs === undefined ? {} : { captureTimeMs: frame.captureTimeMs + offsetMs }),
      });
    }
    this.#heard.write(heard);
    if (stats === null) return { framesPerSecond: 0, goodputBps: 0, lost: status.state === 'failed' };
    const timeMs = checkedTime(stats.timeMs + offsetMs, this.#name);
    this.#trial.write(statsSeries, { ...stats, timeMs });
    this.#trial.write(pageSeries, { timeMs, mainThreadDelayMaxMs, visible });
    const receivedBytes = (entry: StatsSample['inbound'] | undefined) => Number(entry?.['bytesReceived'] ?? 0);
    const now = {
      timeMs,
      bytes: receivedBytes(stats.inbound) + receivedBytes(stats.inboundAudio),
      frames: status.presentedFrames,
    };
    const before = this.#last ?? now;
    this.#last = now;
    const seconds = Math.max(1e-3, (now.timeMs - before.timeMs) / 1000);
    return {
      framesPerSecond: (now.frames - before.frames) / seconds,
      goodputBps: ((now.bytes - before.bytes) * 8) / seconds,
      lost: status.state === 'failed',
    };
  }
}
