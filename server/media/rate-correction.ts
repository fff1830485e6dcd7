/**
 * The factor on the requested rate that makes an encoder produce the wanted rate.
 *
 * With a bucket that enforces the rate, x264 stays 3 to 7 % below it, most where the rate rises. A controller takes
 * unused rate for rate that the link does not need to carry: its estimate then exceeds the capacity before the queue
 * shows it, and the queue grows for a long time before that is detected. (libwebrtc corrects encoders, too:
 * video/encoder_bitrate_adjuster.cc.)
 */

/** Time over which what is missing is made up, s. */
const makeUpS = 1;
/**
 * No more and no less than this is asked for: a frame without content needs no bits, and a key frame is paid for by
 * the encoder's own bucket.
 */
const [leastRatio, mostRatio] = [0.95, 1.1];

export class RateCorrection {
  #ratio = 1;

  /** What to multiply the wanted rate by, 0.95 to 1.1. */
  get ratio(): number {
    return this.#ratio;
  }

  /**
   * Takes the bits of a frame and those that it should have had, and the time that it stands for. A frame larger
   * than twice that, as a key frame is, counts as twice.
   */
  add(bits: number, wantedBits: number, periodS: number): void {
    const missing = Math.max(-1, 1 - bits / wantedBits);
    this.#ratio = Math.min(mostRatio, Math.max(leastRatio, this.#ratio + (missing * periodS) / makeUpS));
  }
}
