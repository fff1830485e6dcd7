/**
 * Which part of the sender's rate is left for the encoder: the target is what may be on the wire, with the headers of
 * RTP, SRTP, UDP and IP, and with retransmissions (libwebrtc 2026-08 video/video_send_stream_impl.cc and
 * call/rtp_video_sender.cc take both off, too).
 *
 * As in libwebrtc, the largest possible headers are assumed for each packet: a call of Chromium sends 96 to 97 % of its
 * estimate. With this margin the queue grows slowly when the estimate is slightly too high, and the controller notices
 * in time.
 */

/** The share is that of the last so many ms. */
const windowMs = 1000;
const sampleMs = 100;
/**
 * By which the largest headers are larger than those that most packets have: extensions for time, colours and names,
 * bytes. Seen in Chromium 156.
 */
const headroomBytes = 24;
/** Until something has been measured: full packets of 1160 bytes with 80 bytes of headers, and the headroom. */
const initialShare = 1160 / (1240 + headroomBytes);
/** Repair and headers never take more than this from the encoder (libwebrtc: half, kMaxProtectionOverhead). */
const leastShare = 0.5;

/**
 * Counters since the start: media payload sent for the first time, its packets, and everything on the wire but padding.
 */
type Sent = { payloadBytes: number; mediaPackets: number; wireBytes: number };
type Sample = Sent & { timeMs: number };

export class MediaShare {
  #samples: Sample[] = [];
  #share = initialShare;

  /** Returns the share, 0.5 to 1. */
  update(timeMs: number, sent: Sent): number {
    const last = this.#samples.at(-1);
    if (last !== undefined && timeMs - last.timeMs < sampleMs) return this.#share;
    this.#samples.push({ timeMs, ...sent });
    while (timeMs - this.#samples[0]!.timeMs > windowMs) this.#samples.shift();
    const first = this.#samples[0]!;
    const wire = sent.wireBytes - first.wireBytes + headroomBytes * (sent.mediaPackets - first.mediaPackets);
    if (wire > 0) this.#share = Math.min(1, Math.max(leastShare, (sent.payloadBytes - first.payloadBytes) / wire));
    return this.#share;
  }
}
