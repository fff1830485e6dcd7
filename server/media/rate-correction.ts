/**
 * Factor on the requested rate with which an encoder produces the wanted rate.
 *
 * With a buffer that enforces the rate, x264 stays 3 to 7 % below it, most while the rate rises. A controller cannot
 * test the part of its rate that is not sent: its estimate exceeds the capacity before the queue shows it, and the
 * queue grows for a long time before that is detected. (libwebrtc also corrects encoders:
 * video/encoder_bitrate_adjuster.cc.)
 */

/** Time in which missing bits are made up, s. */
const makeUpS = 1;
/**
 * Limits of the factor. A frame without content needs no bits, and the encoder's own buffer makes up for key frames.
 */
const [leastRatio, mostRatio] = [0.95, 1.1];

export class RateCorrection {
  #ratio = 1;

  /** Factor for the wanted rate, 0.95 to 1.1. */
  get ratio(): number {
    return this.#ratio;
  }

  /**
   * Takes the bits of a frame, the bits that it should have had, and its period. A frame of more than twice the wanted
   * bits, such as a key frame, counts as twice.
   */
  add(bits: number, wantedBits: number, periodS: number): void {
    const missing = Math.max(-1, 1 - bits / wantedBits);
    this.#ratio = Math.min(mostRatio, Math.max(leastRatio, this.#ratio + (missing * periodS) / makeUpS));
  }
}
