/**
 * Display times of a clip's frames, as in a player. Times in files may be uneven, rounded, missing, or start again in
 * the middle, so these rules apply:
 *
 * - Times count from the first frame. A frame without a time follows the previous frame after that frame's duration.
 * - A frame with the time of the previous frame is never shown. An earlier time begins a new piece (recordings that
 *   were joined): the frame follows after the median interval. In MPEG streams, whose times may jump by definition
 *   (ISO/IEC 13818-1, 2.4.3.5: discontinuity_indicator), a jump ahead of more than `longestHoldS` also does.
 * - Frames within a millisecond of an even rate have that rate: Matroska, WebM and FLV round times to milliseconds.
 * - The last frame lasts until the end of the used part, or for its duration in the file, and at least for the median
 *   interval. If it would last longer than `longestHoldS`, it lasts for the median interval: a recording whose last
 *   frame comes an hour late is not a still picture.
 */

/** Longest pause between frames, s; a longer one is a break (FFmpeg's dts_delta_threshold, fftools/ffmpeg_demux.c). */
const longestHoldS = 10;
/**
 * Deviation from an even rate that is allowed, s: a millisecond of rounding in the file, and a microsecond for computed
 * times.
 */
const evenToleranceS = 1.001e-3;
/** Longest duration of the last frame of an even clip, in periods; a longer one makes the clip uneven. */
const mostEvenHold = 1.5;
/** Rounding error of a wall-clock time in seconds, as a share of a frame. */
const roundingFrames = 1e-4;
/** Share of a stream period by which a frame of an uneven clip may be early: times of cameras vary. */
const earlyRatio = 0.25;

export type ClipTimes = {
  /** Start of each frame, s, ascending from 0. */
  startsS: readonly number[];
  /** Length of one loop. */
  seconds: number;
  /** Frames per second; null for uneven times. */
  frameRate: number | null;
};

/**
 * Returns the index of the frame to show `atS` seconds after the start of an endless loop. `periodS`: frame period of
 * the stream. A frame of an uneven clip is shown from a quarter of a period before its time.
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

/** Frame rates that the file declares, per second; 0 for none. */
type Declared = { averageRate: number; baseRate: number };

/** Shortest and longest interval accepted from a declared rate, s. */
const believedS = { least: 1 / 1000, most: 1 } as const;
/** FFmpeg's interval for raw H.264 and HEVC without timing information. */
const assumedIntervalS = 1 / 25;

/** Returns the interval for frames whose times are unknown, s. */
function declaredIntervalS({ averageRate, baseRate }: Declared): number {
  return [1 / averageRate, 1 / baseRate].find(s => s >= believedS.least && s <= believedS.most) ?? assumedIntervalS;
}

/** Computes display times of frames one after another, in the order of the decoder. */
export class FrameTimes {
  readonly startsS: number[] = [];
  /** Number of frames without a time. */
  untimed = 0;
  /** Number of places at which times start again. */
  breaks = 0;
  readonly #declared: Declared;
  readonly #mayJump: boolean;
  /** Offset that is subtracted from the file's times. */
  #originS: number | undefined;
  #lastDurationS = 0;

  /** `mayJump`: true if times of this kind of file may jump ahead. */
  constructor(declared: Declared, mayJump: boolean) {
    this.#declared = declared;
    this.#mayJump = mayJump;
  }

  /**
   * Returns the start of a frame, s; undefined if the frame is never shown. `timeS`: null if unknown; `durationS`: 0 if
   * unknown.
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
      this.#originS ??= timeS - last - (this.#lastDurationS || this.#usualS()); // earlier frames had no time
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
   * Returns the times of the used part: frames that start before `mostS`. `ended`: true if the file has ended with the
   * last frame, false if it goes on.
   */
  part(mostS: number, ended: boolean): ClipTimes & { leftOutS: number | null } {
    const used = Math.max(1, this.startsS.findLastIndex(s => s < mostS - 1e-6) + 1);
    const startsS = this.startsS.slice(0, used);
    const last = startsS.at(-1)!;
    const heldS = this.startsS.length > used ? this.startsS[used]! - last : ended ? this.#lastDurationS : 0;
    const usualS = this.#usualS(used);
    const isCut = heldS > longestHoldS && last + heldS > mostS;
    const lastS = isCut ? usualS : Math.max(heldS, usualS); // many files have a duration of 0 or one tick
    const frameRate = lastS <= usualS * mostEvenHold ? this.#evenRate(startsS) : null;
    const leftOutS = isCut ? heldS : null;
    if (frameRate === null) return { startsS, seconds: Math.min(mostS, last + lastS), frameRate, leftOutS };
    const whole = Math.min(used, Math.max(1, Math.floor(mostS * frameRate + 1e-6)));
    return { startsS: startsS.slice(0, whole), seconds: whole / frameRate, frameRate, leftOutS };
  }

  /** Returns the median interval of the first `count` frames, s. */
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
    // declared rates, then usual rates, then the measured rate
    const candidates = [averageRate, baseRate, Math.round(fitted), (Math.round(fitted * 1.001) * 1000) / 1001, fitted];
    const fits = (rate: number) =>
      rate > 0 && startsS.every((startS, k) => Math.abs(startS - k / rate) <= evenToleranceS);
    return candidates.find(fits) ?? null;
  }
}
