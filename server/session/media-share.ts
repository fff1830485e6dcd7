/**
 * Share of the sender's rate that is left for the encoder. The target is the rate on the wire, with RTP, SRTP, UDP and
 * IP headers and retransmissions (libwebrtc 2026-08 video/video_send_stream_impl.cc and call/rtp_video_sender.cc
 * subtract both, too).
 *
 * As in libwebrtc, each packet counts with the largest possible headers: a call of Chromium sends 96 to 97 % of its
 * estimate. With this margin the queue grows slowly if the estimate is slightly too high, and the controller notices in
 * time.
 */

/** Time over which the share is computed, ms. */
const windowMs = 1000;
const sampleMs = 100;
/**
 * Difference between the largest headers and those of most packets: extensions for time, colours and names, bytes. Seen
 * in Chromium 156.
 */
const headroomBytes = 24;
/** Share before the first measurement: full packets of 1160 bytes with 80 bytes of headers, and the headroom. */
const initialShare = 1160 / (1240 + headroomBytes);
/** Lowest share of the encoder, whatever retransmissions and headers take (libwebrtc: half, kMaxProtectionOverhead). */
const leastShare = 0.5;

/**
 * Counters since the start: media payload without retransmissions, its packets, and all bytes on the wire except
 * padding.
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
