/**
 * Chooses the frames to skip when a congestion controller wants fewer: one of every so many, at most every second, so
 * that the remaining frames keep their size.
 *
 * Source: libwebrtc 2026-08, video/video_stream_encoder.cc (frame dropping by the congestion window). There the
 * encoder's rate is lowered by the same share, as its rate control goes by the rate of frames that it is given; here
 * an encoder's rate is that of all periods.
 */

/** A smaller share is not worth a frame. */
const leastRatio = 0.01;
const shortestInterval = 2;

export class FrameDropper {
  #interval: number | undefined;
  #seen = 0;

  /** `ratio`: share of the frames that should be left out, 0 to 1. */
  setRatio(ratio: number): void {
    this.#interval = ratio > leastRatio ? Math.max(shortestInterval, Math.floor(1 / ratio)) : undefined;
  }

  /** Whether the next frame is left out; to be asked once for each. */
  drops(): boolean {
    return this.#interval !== undefined && this.#seen++ % this.#interval === 0;
  }
}
