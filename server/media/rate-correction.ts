/**
 * Corrects the rate that is requested from an encoder, so that the encoder produces the wanted rate.
 *
 * With a rate control buffer, x264 stays 3 to 7 % below the requested rate, most while the rate rises. A controller
 * cannot test the part of its rate that is not sent. Its estimate then exceeds the capacity without a queue, and later
 * the queue grows for a long time before the controller detects it. (libwebrtc also corrects encoders:
 * video/encoder_bitrate_adjuster.cc.)
 */

/** Time within which missing bits are made up, s. */
const makeUpS = 1;
/**
 * Lower and upper limit of the factor. The limits are needed because a frame without content needs no bits, and because
 * the encoder's own buffer makes up for key frames.
 */
const [leastRatio, mostRatio] = [0.95, 1.1];

export class RateCorrection {
  #ratio = 1;

  /** Factor on the wanted rate that gives the rate to request, 0.95 to 1.1. */
  get ratio(): number {
    return this.#ratio;
  }

  /**
   * Takes the bits of a frame, the bits that the frame should have had, and the frame's period. A frame with more than
   * twice the wanted bits, such as a key frame, counts as a frame with twice the wanted bits.
   */
  add(bits: number, wantedBits: number, periodS: number): void {
    const missing = Math.max(-1, 1 - bits / wantedBits);
    this.#ratio = Math.min(mostRatio, Math.max(leastRatio, this.#ratio + (missing * periodS) / makeUpS));
  }
}
