/**
 * Reduces the frame size or the frame rate, in steps, if the rate is too low (W3C mst-content-hint,
 * degradationPreference). The ladder is for studies of such a sender; the shipped studies do not use it.
 *
 * The rate that a frame size needs is libwebrtc's recommended minimum (2026-08
 * rtc_base/experiments/encoder_info_settings.cc, for VP8 and H.264), which is meant for about 30 frames per second.
 * Here the rate grows with the frame rate. For H.264, libwebrtc itself uses the encoder's quantiser.
 */

export const degradations = ['none', 'maintain-framerate', 'maintain-resolution'] as const;
export type Degradation = (typeof degradations)[number];

export type Rung = {
  width: number;
  height: number;
  /** Number of stream periods per encoded frame. */
  period: number;
};

/** Lowest rate for each number of pixels, at 30 frames per second. */
const leastRates = [
  { pixels: 320 * 180, bps: 100e3 },
  { pixels: 480 * 270, bps: 200e3 },
  { pixels: 640 * 360, bps: 300e3 },
  { pixels: 960 * 540, bps: 500e3 },
  { pixels: 1280 * 720, bps: 900e3 },
  { pixels: 1920 * 1080, bps: 2e6 },
] as const;
const tableFrameRate = 30;
const scales = [1, 3 / 4, 1 / 2, 3 / 8, 1 / 4];
const periods = [1, 2, 3, 4, 6];
/**
 * Conditions for the next larger rung: the rate is at least `ratio` times the rate that this rung needs, for `holdMs`.
 * A smaller rung is taken after `downHoldMs`.
 */
const up = { ratio: 1.2, holdMs: 3000 } as const;
const downHoldMs = 500;

/**
 * Returns the lowest rate for a number of pixels, bit/s: interpolated between the rows of the table, proportional to
 * the pixels outside of the table.
 */
function leastBps(pixels: number): number {
  const above = leastRates.findIndex(row => row.pixels >= pixels);
  const [first, last] = [leastRates[0], leastRates.at(-1)!];
  if (above === 0) return (first.bps * pixels) / first.pixels;
  if (above < 0) return (last.bps * pixels) / last.pixels;
  const [a, b] = [leastRates[above - 1]!, leastRates[above]!];
  return a.bps + ((b.bps - a.bps) * (pixels - a.pixels)) / (b.pixels - a.pixels);
}

/** Returns the rungs of the ladder, largest first, each with the rate that it needs. */
function rungsOf(
  { width, height, frameRate }: { width: number; height: number; frameRate: number },
  degradation: Degradation,
): (Rung & { needBps: number })[] {
  const even = (pixels: number) => 2 * Math.round(pixels / 2);
  const rungs: Rung[] =
    degradation === 'maintain-framerate'
      ? scales.map(scale => ({ width: even(width * scale), height: even(height * scale), period: 1 }))
      : degradation === 'maintain-resolution'
        ? periods.map(period => ({ width, height, period }))
        : [{ width, height, period: 1 }];
  return rungs.map(rung => ({
    ...rung,
    needBps: (leastBps(rung.width * rung.height) * frameRate) / rung.period / tableFrameRate,
  }));
}

export class Ladder {
  readonly #rungs;
  #at = 0;
  #downSinceMs: number | undefined;
  #upSinceMs: number | undefined;

  constructor(full: { width: number; height: number; frameRate: number }, degradation: Degradation) {
    this.#rungs = rungsOf(full, degradation);
  }

  get rung(): Rung {
    return this.#rungs[this.#at]!;
  }

  /**
   * Returns the rung for the current rate; called for every frame. A rate that is too low leads to the first rung that
   * needs no more than this rate. A higher rate leads up by one rung at a time.
   */
  next(rateBps: number, nowMs: number): Rung {
    const larger = this.#rungs[this.#at - 1];
    this.#downSinceMs =
      this.#at < this.#rungs.length - 1 && rateBps < this.#rungs[this.#at]!.needBps
        ? (this.#downSinceMs ?? nowMs)
        : undefined;
    this.#upSinceMs =
      larger !== undefined && rateBps >= larger.needBps * up.ratio ? (this.#upSinceMs ?? nowMs) : undefined;
    if (this.#downSinceMs !== undefined && nowMs - this.#downSinceMs >= downHoldMs) {
      const fits = this.#rungs.findIndex(({ needBps }) => rateBps >= needBps);
      this.#enter(fits < 0 ? this.#rungs.length - 1 : fits);
    } else if (this.#upSinceMs !== undefined && nowMs - this.#upSinceMs >= up.holdMs) this.#enter(this.#at - 1);
    return this.rung;
  }

  #enter(at: number): void {
    this.#at = at;
    this.#downSinceMs = this.#upSinceMs = undefined;
  }
}
