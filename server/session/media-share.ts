/**
 * Which part of the sender's rate is left for the encoder: the target is what may be on the wire, with the headers of
 * RTP, SRTP, UDP and IP, and with retransmissions (libwebrtc 2026-08 video/video_send_stream_impl.cc takes both off, too).
 */

/** The share is that of the last so many ms. */
const windowMs = 1000;
const sampleMs = 100;
/** Until something has been measured: full packets of 1160 bytes with 80 bytes of headers. */
const initialShare = 1160 / 1240;
/** Repair and headers never take more than this from the encoder (libwebrtc: half, kMaxProtectionOverhead). */
const leastShare = 0.5;

type Sample = { timeMs: number; payloadBytes: number; wireBytes: number };

export class MediaShare {
  #samples: Sample[] = [];
  #share = initialShare;

  /** Counters since the start: media payload sent for the first time, and everything on the wire but padding. Returns the share, 0.5 to 1. */
  update(timeMs: number, payloadBytes: number, wireBytes: number): number {
    const last = this.#samples.at(-1);
    if (last !== undefined && timeMs - last.timeMs < sampleMs) return this.#share;
    this.#samples.push({ timeMs, payloadBytes, wireBytes });
    while (timeMs - this.#samples[0]!.timeMs > windowMs) this.#samples.shift();
    const first = this.#samples[0]!;
    const wire = wireBytes - first.wireBytes;
    if (wire > 0) this.#share = Math.min(1, Math.max(leastShare, (payloadBytes - first.payloadBytes) / wire));
    return this.#share;
  }
}
