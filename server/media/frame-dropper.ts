/**
 * Chooses the frames to skip if a congestion controller wants fewer: every n-th frame, at most every second one, so
 * that the remaining frames keep their size.
 *
 * Source: libwebrtc 2026-08, video/video_stream_encoder.cc (frame dropping by the congestion window). There the
 * encoder's rate is lowered by the same share, because its rate control follows the rate of its input frames. Here the
 * encoder's rate is that of all periods.
 */

/** Smallest share for which frames are skipped. */
const leastRatio = 0.01;
const shortestInterval = 2;

export class FrameDropper {
  #interval: number | undefined;
  #seen = 0;

  /** `ratio`: share of the frames to skip, 0 to 1. */
  setRatio(ratio: number): void {
    this.#interval = ratio > leastRatio ? Math.max(shortestInterval, Math.floor(1 / ratio)) : undefined;
  }

  /** True if the next frame is to be skipped; called once per frame. */
  drops(): boolean {
    return this.#interval !== undefined && this.#seen++ % this.#interval === 0;
  }
}
