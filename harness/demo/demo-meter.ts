/** Values for the page of the demonstration, from the records of the trial and from its state now. */
import type { Count, DemoValues } from '../../client/demo/wire.ts';
import { nowMs } from '../../core/system/clock.ts';
import { counted, timesWords } from '../../core/text/counted.ts';
import { formatDuration } from '../../core/text/units.ts';
import { defaultMeasure, type GapLimits, gapLimits } from '../../core/vocabulary/measure.ts';
import { LiveMeter } from '../analysis/derive/live-meter.ts';
import { SeriesListeners } from '../record/schema/series-listeners.ts';
import { presentedSeries } from '../record/series/frames.presented.ts';
import { hostSeries } from '../record/series/host.ts';
import { pageSeries } from '../record/series/page.ts';
import { queueSeries } from '../record/series/queue.ts';
import { senderSeries } from '../record/series/sender.ts';
import { statsSeries } from '../record/series/stats.ts';
import type { LiveTrial } from '../trial/live-trial.ts';
import { names } from './demo-trial.ts';
import type { FirstValues } from './first-values.ts';
import { HostNotice } from './host-notice.ts';
import { ratingOf, sentenceOf } from './sentence.ts';
import { drainMs, type Settings } from './settings.ts';

const inAll = (ms: number) => `${formatDuration(ms)} in all`;

/** Queue delay below which a stream is not affected, ms. */
const idleQueueMs = 30;

export class DemoMeter {
  readonly #frameRate: number;
  readonly #limits: GapLimits;
  readonly #notice = new HostNotice();
  readonly #beside: LiveMeter;
  readonly #lost = { harmed: false, beside: false };
  #backlog = { backlogBytes: 0, backlogPackets: 0 };
  #freezes: Count = { count: 0, totalMs: 0 };
  /** Time of the last stall, ms; null before the first stall. */
  #stalledMs: number | null = null;
  /** Time of the last interruption of the voice, ms; null before the first. */
  #interruptedMs: number | null = null;
  /** Stalls and interruptions as of the last values; undefined before the first. */
  #counts: Pick<LiveTrial, 'stalls' | 'interruptions'> | undefined;

  constructor({ frameRate }: Pick<FirstValues, 'frameRate'>) {
    this.#frameRate = frameRate;
    this.#limits = gapLimits(defaultMeasure, this.#frameRate);
    this.#beside = new LiveMeter(this.#limits);
  }

  /**
   * Returns the listeners for the records of one application, or of the link and the machine (null). This is an arrow
   * function because the trial calls it without the object.
   */
  readonly listenersOf = (application: string | null): SeriesListeners | undefined => {
    const listeners = new SeriesListeners();
    if (application === null)
      return listeners
        .on(hostSeries, record => this.#notice.host(record))
        .on(queueSeries, record => {
          this.#backlog = record;
        });
    if (application === names.service)
      return listeners
        .on(statsSeries, ({ inbound }) => {
          this.#freezes = {
            count: Number(inbound?.['freezeCount'] ?? 0),
            totalMs: Number(inbound?.['totalFreezesDuration'] ?? 0) * 1000,
          };
        })
        .on(pageSeries, record => this.#notice.page(record))
        .on(senderSeries, record => this.#notice.sender(record, nowMs()));
    if (application === names.beside)
      return listeners
        .on(presentedSeries, record => this.#beside.presented(record))
        .on(statsSeries, record => this.#beside.stats(record))
        .on(pageSeries, record => this.#beside.page(record));
    return undefined;
  };

  /** Resets the counts of stalls. */
  reset(): void {
    this.#beside.reset();
  }

  /**
   * Describes the stalls of the stream and the interruptions of its voice: "2 stalls, 1.2 s in all; the voice broke off
   * once, 0.4 s in all". Null before the first values.
   */
  endWords(): string | null {
    if (this.#counts === undefined) return null;
    const { stalls, interruptions } = this.#counts;
    return [
      stalls.count === 0 ? 'no stall' : `${counted(stalls.count, 'stall')}, ${inAll(stalls.totalMs)}`,
      ...(interruptions === null
        ? []
        : [
            interruptions.count === 0
              ? 'the voice never broke off'
              : `the voice broke off ${timesWords(interruptions.count)}, ${inAll(interruptions.totalMs)}`,
          ]),
    ].join('; ');
  }

  values(
    live: LiveTrial,
    { rateBps, lossRatio }: Pick<Settings, 'rateBps' | 'lossRatio'>,
    isFlooded: boolean,
  ): DemoValues {
    const timeMs = nowMs();
    const [harmedNow, besideNow] = live.byApplication;
    this.#lost.harmed ||= harmedNow?.lost === true;
    this.#lost.beside ||= besideNow?.lost === true;
    const frameRate = this.#frameRate;
    const seen = { ...live, framesPerSecond: live.framesPerSecond ?? 0, lost: this.#lost.harmed, frameRate };
    const beside = { ...this.#beside.read(timeMs), lost: this.#lost.beside, frameRate };
    this.#notice.unharmed(beside.framesPerSecond, frameRate, timeMs);
    if (seen.longestGapMs > this.#limits.stallMs) this.#stalledMs = timeMs;
    if ((live.interruptions?.totalMs ?? 0) > (this.#counts?.interruptions?.totalMs ?? 0)) this.#interruptedMs = timeMs;
    this.#counts = live;
    const since = (ms: number | null) => (ms === null ? null : timeMs - ms);
    const view = {
      ...seen,
      sinceStallMs: since(this.#stalledMs),
      sinceInterruptionMs: since(this.#interruptedMs),
    };
    const { rttMs: _, ...besideView } = { ...beside, sinceStallMs: null, sinceInterruptionMs: null };
    const { backlogBytes, backlogPackets } = this.#backlog;
    const [hostNotice, queueMs] = [this.#notice.read(timeMs), drainMs(backlogBytes, rateBps)];
    const around = {
      isMachineLate: hostNotice !== null,
      beside: besideView,
      isLinkActive: lossRatio > 0 || queueMs > idleQueueMs,
    };
    return {
      type: 'values',
      timeMs,
      sentence: sentenceOf(view, around),
      unharmedSentence: sentenceOf(besideView),
      rating: ratingOf(view, around),
      framesPerSecond: seen.framesPerSecond,
      unharmedFramesPerSecond: beside.framesPerSecond,
      subjectBps: seen.subjectWireBps,
      othersBps: isFlooded ? seen.otherWireBps : null,
      rttMs: seen.rttMs,
      queuePackets: backlogPackets,
      queueMs,
      longestGapMs: seen.longestGapMs,
      stallMs: this.#limits.stallMs,
      stalls: seen.stalls,
      freezes: this.#freezes,
      interruptions: live.interruptions,
      hostNotice,
    };
  }
}
