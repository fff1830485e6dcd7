/**
 * Chooses the frames to skip when a congestion controller asks for fewer frames: every n-th frame, at most every second
 * one. The remaining frames keep their size.
 *
 * Source: libwebrtc 2026-08, video/video_stream_encoder.cc (frame dropping by the congestion window). libwebrtc also
 * lowers the encoder's rate by the same share, because the encoder's rate control follows the rate of its input frames.
 * Here the encoder's rate is not lowered, because it applies to all periods, also to those of skipped frames.
 */

/** Smallest share of frames to skip; for smaller shares no frame is skipped. */
const leastRatio = 0.01;
const shortestInterval = 2;

export class FrameDropper {
  #interval: number | undefined;
  #seen = 0;

  /** Sets the share of the frames to skip, 0 to 1. */
  setRatio(ratio: number): void {
    this.#interval = ratio > leastRatio ? Math.max(shortestInterval, Math.floor(1 / ratio)) : undefined;
  }

  /** Returns true if the next frame must be skipped. Called once per frame. */
  drops(): boolean {
    return this.#interval !== undefined && this.#seen++ % this.#interval === 0;
  }
}
