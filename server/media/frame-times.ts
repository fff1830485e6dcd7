/**
 * Computes the display times of a clip's frames, as a player does. Times in files may be uneven, rounded, missing, or
 * start again in the middle of the file, so these rules apply:
 *
 * - Times count from the first frame. A frame without a time begins when the duration of the previous frame is over.
 * - A frame with the same time as the previous frame is never shown. A frame with an earlier time begins a new part of
 *   the file (recordings that were joined), and is shown after the median interval. A frame that is more than
 *   `longestHoldS` later also begins a new part in MPEG streams, whose times may jump by definition (ISO/IEC 13818-1,
 *   2.4.3.5: discontinuity_indicator).
 * - A clip whose frames deviate by at most a millisecond from an even rate gets this rate, because Matroska, WebM and
 *   FLV round times to milliseconds.
 * - The last frame lasts until the end of the used part, or for its duration in the file, and at least for the median
 *   interval. If it would last longer than `longestHoldS`, it lasts only for the median interval: the file may go on
 *   after a pause of an hour, and such a pause is not a still picture.
 */

/**
 * Longest pause between two frames, s. A longer pause is a break in the recording (FFmpeg's dts_delta_threshold,
 * fftools/ffmpeg_demux.c).
 */
const longestHoldS = 10;
/**
 * Largest deviation of a frame from an even rate, s: a millisecond because files round times, and a microsecond because
 * computed times are rounded.
 */
const evenToleranceS = 1.001e-3;
/**
 * Longest duration of the last frame of an even clip, in frame periods. A clip with a longer last frame counts as
 * uneven.
 */
const mostEvenHold = 1.5;
/** Rounding error of a wall-clock time, as a share of a frame. */
const roundingFrames = 1e-4;
/**
 * Share of a stream period by which a frame of an uneven clip may be shown too early, because the times of cameras
 * vary.
 */
const earlyRatio = 0.25;

export type ClipTimes = {
  /** Start time of each frame, s, ascending from 0. */
  startsS: readonly number[];
  /** Length of one loop of the clip. */
  seconds: number;
  /** Frames per second; null if the times are uneven. */
  frameRate: number | null;
};

/**
 * Returns the index of the frame to show `atS` seconds after the start of an endless loop. `periodS`: frame period of
 * the stream, s. A frame of an uneven clip is shown from a quarter of a period before its start time.
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

/** Average and base frame rate that the file declares, frames per second; 0 for a rate that is not declared. */
type Declared = { averageRate: number; baseRate: number };

/** Shortest and longest frame interval that is believed if the file declares it, s. */
const believedS = { least: 1 / 1000, most: 1 } as const;
/** Frame interval that FFmpeg assumes for raw H.264 and HEVC without timing information, s. */
const assumedIntervalS = 1 / 25;

/** Returns the interval to assume between frames whose times are unknown, s. */
function declaredIntervalS({ averageRate, baseRate }: Declared): number {
  return [1 / averageRate, 1 / baseRate].find(s => s >= believedS.least && s <= believedS.most) ?? assumedIntervalS;
}

/** Computes the display times of frames, which are added in the order in which the decoder returns them. */
export class FrameTimes {
  readonly startsS: number[] = [];
  /** Number of frames so far that have no time in the file. */
  untimed = 0;
  /** Number of breaks so far: frames at which the times of the file start again or jump. */
  breaks = 0;
  readonly #declared: Declared;
  readonly #mayJump: boolean;
  /** Offset that is subtracted from the times in the file; undefined until a frame has a time. */
  #originS: number | undefined;
  #lastDurationS = 0;

  /** Makes the times of one file. `mayJump`: true if times in this kind of file may jump ahead. */
  constructor(declared: Declared, mayJump: boolean) {
    this.#declared = declared;
    this.#mayJump = mayJump;
  }

  /**
   * Adds a frame; returns its start time, s, or undefined if the frame is never shown. `timeS`: time in the file, null
   * if unknown. `durationS`: duration in the file, 0 if unknown.
   */
  add(timeS: number | null, durationS: number): number | undefined {
    const last = this.startsS.at(-1);
    if (timeS === null) this.untimed++;
    let startS: number;
    if (last === undefined) {
      this.#originS = timeS ?? undefined;
      startS = 0;
    } else if (timeS === null) startS = last + (this.#lastDurationS || this.#usualS());
    else {
      this.#originS ??= timeS - last - (this.#lastDurationS || this.#usualS()); // all earlier frames had no time
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
   * Returns the times of the used part of the clip: of the frames that start before `mostS`. `ended`: true if the file
   * has ended with the last frame, false if more frames follow.
   */
  part(mostS: number, ended: boolean): ClipTimes & { leftOutS: number | null } {
    const used = Math.max(1, this.startsS.findLastIndex(s => s < mostS - 1e-6) + 1);
    const startsS = this.startsS.slice(0, used);
    const last = startsS.at(-1)!;
    const heldS = this.startsS.length > used ? this.startsS[used]! - last : ended ? this.#lastDurationS : 0;
    const usualS = this.#usualS(used);
    const isCut = heldS > longestHoldS && last + heldS > mostS;
    const lastS = isCut ? usualS : Math.max(heldS, usualS); // many files state a duration of 0 or one tick
    const frameRate = lastS <= usualS * mostEvenHold ? this.#evenRate(startsS) : null;
    const leftOutS = isCut ? heldS : null;
    if (frameRate === null) return { startsS, seconds: Math.min(mostS, last + lastS), frameRate, leftOutS };
    const whole = Math.min(used, Math.max(1, Math.floor(mostS * frameRate + 1e-6)));
    return { startsS: startsS.slice(0, whole), seconds: whole / frameRate, frameRate, leftOutS };
  }

  /**
   * Returns the median interval between the first `count` frames, s. Without intervals, returns the last frame's
   * duration, or the declared interval.
   */
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
    // Candidates in order of preference: declared rates, usual rates, the measured rate.
    const candidates = [averageRate, baseRate, Math.round(fitted), (Math.round(fitted * 1.001) * 1000) / 1001, fitted];
    const fits = (rate: number) =>
      rate > 0 && startsS.every((startS, k) => Math.abs(startS - k / rate) <= evenToleranceS);
    return candidates.find(fits) ?? null;
  }
}
