/**
 * Detects that the machine itself disturbs the stream. The limits are those that void a trial
 * (core/vocabulary/host-limits.ts).
 */
import { hostLimits as limits } from '../../core/vocabulary/host-limits.ts';
import { waitOf } from '../analysis/derive/processor-wait.ts';
import type { HostRecord } from '../record/series/host.ts';
import type { PageRecord } from '../record/series/page.ts';
import type { SenderRecord } from '../record/series/sender.ts';

/** Time for which a disturbance is shown after it was detected, ms. */
const staysMs = 4000;
/** Smallest share of the sent frames that the viewer past the link shows if the machine is fast enough. */
const leastShareOfFrames = 0.9;

export class HostNotice {
  #told: { untilMs: number; what: string } | undefined;

  host(record: Pick<HostRecord, 'timeMs' | 'threadWaitMaxMs' | 'wakeUpDelayMaxMs' | 'stealRatio'>): void {
    const { timeMs, stealRatio } = record;
    const { ms, limit, message } = waitOf(record);
    this.#judge(timeMs, ms, limit.invalid, message);
    this.#judge(timeMs, stealRatio, limits.stolenCores.invalid, 'the hypervisor takes the processor away');
  }

  page({ timeMs, mainThreadDelayMaxMs }: PageRecord): void {
    this.#judge(
      timeMs,
      mainThreadDelayMaxMs,
      limits.pageDelayMs.invalid,
      `the viewer's page was held up for ${Math.round(mainThreadDelayMaxMs)} ms`,
    );
  }

  sender({ frameLatenessMaxMs }: Pick<SenderRecord, 'frameLatenessMaxMs'>, timeMs: number): void {
    this.#judge(
      timeMs,
      frameLatenessMaxMs,
      limits.frameLatenessMs.invalid,
      `a frame was captured ${Math.round(frameLatenessMaxMs)} ms late`,
    );
  }

  /** Judges the frame rate of the viewer past the link, who loses frames only because of the machine. */
  unharmed(framesPerSecond: number, frameRate: number, timeMs: number): void {
    if (framesPerSecond < leastShareOfFrames * frameRate)
      this.#tell(
        timeMs,
        `even the stream that meets no link shows ${framesPerSecond.toFixed(0)} of ${frameRate} frames per second`,
      );
  }

  /** Returns a sentence on the disturbance; null if the machine does not disturb the stream. */
  read(timeMs: number): string | null {
    return this.#told === undefined || timeMs > this.#told.untilMs
      ? null
      : `This machine is too busy: ${this.#told.what}. Part of what you see is due to the machine.`;
  }

  #judge(timeMs: number, value: number, limit: number, what: string): void {
    if (value > limit) this.#tell(timeMs, what);
  }

  #tell(timeMs: number, what: string): void {
    this.#told = { untilMs: timeMs + staysMs, what };
  }
}
