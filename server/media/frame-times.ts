/**
 * When each frame of a clip is shown: by its own time, as a player does. A file has times that are uneven, rounded,
 * missing, or begin anew in the middle, so there are rules:
 *
 * - Times count from the first frame. A frame without a time follows the one before after that one's duration.
 * - A frame at the time of the one before it is never shown. One that is earlier begins a new piece (recordings that
 *   were put together): it follows after the median interval. In MPEG streams, where times may jump by definition
 *   (ISO/IEC 13818-1, 2.4.3.5: discontinuity_indicator), so does one that is `longestHoldS` later.
 * - Frames within a millisecond of an even rate have that rate: Matroska, WebM and FLV round times to milliseconds.
 * - The last frame lasts until the part that is used ends, or as long as the file says, and at least as long as the
 *   median frame; but where that is longer than `longestHoldS`, it lasts as long as the median frame: a recording whose
 *   last frame is an hour late is no still.
 */

/** As FFmpeg's dts_delta_threshold (fftools/ffmpeg_demux.c): what is longer is a break and no pause. */
const longestHoldS = 10;
/** Times are rounded to a millisecond or less; one more for what is computed from them. */
const evenToleranceS = 1.001e-3;
/** An even clip whose last frame lasts longer than so many periods is held there, and so is not even. */
const mostEvenHold = 1.5;
/** What is lost where a time of the wall clock is a number of seconds, in frames. */
const roundingFrames = 1e-4;
/** A period of the stream so much of which is still to come counts as begun: cameras' times are uneven. */
const earlyRatio = 0.25;

export type ClipTimes = {
  /** When each frame begins, s, ascending from 0. */
  startsS: readonly number[];
  /** Of one loop, s. */
  seconds: number;
  /** Frames per second; null where they are uneven. */
  frameRate: number | null;
};

/**
 * The frame to show so many seconds after the start, looping for ever. `periodS`: of the stream; a frame of an uneven
 * clip is taken from a quarter of a period before its time on.
 */
export function frameIndexAt({ startsS, seconds, frameRate }: ClipTimes, atS: number, periodS: number): number {
  if (frameRate !== null) return Math.floor(atS * frameRate + roundingFrames) % startsS.length;
  const place = (atS + periodS * earlyRatio) % seconds;
  let [low, high] = [0, startsS.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (startsS[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** What a file says of the rate of its frames; 0 where it does not. */
type Declared = { averageRate: number; baseRate: number };

/** Shortest and longest interval that a declared rate is believed to mean, s. */
const believedS = { least: 1 / 1000, most: 1 } as const;
/** FFmpeg's for raw H.264 and HEVC without timing information. */
const assumedIntervalS = 1 / 25;

/** Interval of frames of which nothing else is known. */
function declaredIntervalS({ averageRate, baseRate }: Declared): number {
  return [1 / averageRate, 1 / baseRate].find(s => s >= believedS.least && s <= believedS.most) ?? assumedIntervalS;
}

/** Places frames one after the other, as they come out of the decoder. */
export class FrameTimes {
  readonly startsS: number[] = [];
  /** Frames that had no time. */
  untimed = 0;
  /** Places where times began anew. */
  breaks = 0;
  readonly #declared: Declared;
  readonly #mayJump: boolean;
  /** What is subtracted from the file's times. */
  #originS: number | undefined;
  #lastDurationS = 0;

  /** `mayJump`: times of this kind of file may jump ahead. */
  constructor(declared: Declared, mayJump: boolean) {
    this.#declared = declared;
    this.#mayJump = mayJump;
  }

  /** Where a frame begins, s; undefined where it is never shown. Unknown: `timeS` null, `durationS` 0. */
  add(timeS: number | null, durationS: number): number | undefined {
    const last = this.startsS.at(-1);
    if (timeS === null) this.untimed++;
    let startS: number;
    if (last === undefined) {
      this.#originS = timeS ?? undefined;
      startS = 0;
    } else if (timeS === null) startS = last + (this.#lastDurationS || this.#usualS());
    else {
      this.#originS ??= timeS - last - (this.#lastDurationS || this.#usualS()); // the first ones had no time
      startS = timeS - this.#originS;
      if (startS === last) return undefined;
      if (startS < last || (this.#mayJump && startS > last + longestHoldS)) {
        this.breaks++;
        startS = last + this.#usualS();
        this.#originS = timeS - startS;
      }
    }
    this.#lastDurationS = durationS;
    this.startsS.push(startS);
    return startS;
  }

  /**
   * The part that is used: frames that begin before `mostS`. The file goes on after the last frame, or has ended with
   * it (`ended`).
   */
  part(mostS: number, ended: boolean): ClipTimes & { leftOutS: number | null } {
    const used = Math.max(1, this.startsS.findLastIndex(s => s < mostS - 1e-6) + 1);
    const startsS = this.startsS.slice(0, used);
    const last = startsS.at(-1)!;
    const heldS = this.startsS.length > used ? this.startsS[used]! - last : ended ? this.#lastDurationS : 0;
    const usualS = this.#usualS(used);
    const isCut = heldS > longestHoldS && last + heldS > mostS;
    const lastS = isCut ? usualS : Math.max(heldS, usualS); // many files say 0, or a tick
    const frameRate = lastS <= usualS * mostEvenHold ? this.#evenRate(startsS) : null;
    const leftOutS = isCut ? heldS : null;
    if (frameRate === null) return { startsS, seconds: Math.min(mostS, last + lastS), frameRate, leftOutS };
    const whole = Math.min(used, Math.max(1, Math.floor(mostS * frameRate + 1e-6)));
    return { startsS: startsS.slice(0, whole), seconds: whole / frameRate, frameRate, leftOutS };
  }

  /** The interval of most of the first `count` frames, s. */
  #usualS(count = this.startsS.length): number {
    const intervals = this.startsS.slice(1, count).map((startS, k) => startS - this.startsS[k]!);
    return (
      median(intervals) ??
      (this.#lastDurationS > 0 && this.#lastDurationS <= believedS.most
        ? this.#lastDurationS
        : declaredIntervalS(this.#declared))
    );
  }

  #evenRate(startsS: readonly number[]): number | null {
    const { averageRate, baseRate } = this.#declared;
    if (startsS.length === 1) return 1 / this.#usualS(1);
    const fitted = (startsS.length - 1) / startsS.at(-1)!;
    // what the file says; a usual rate; what was measured
    const candidates = [averageRate, baseRate, Math.round(fitted), (Math.round(fitted * 1.001) * 1000) / 1001, fitted];
    const fits = (rate: number) =>
      rate > 0 && startsS.every((startS, k) => Math.abs(startS - k / rate) <= evenToleranceS);
    return candidates.find(fits) ?? null;
  }
}
