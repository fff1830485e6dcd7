/**
 * Computes the share of the target rate that is left for the encoder. The target is a rate on the wire, so headers
 * (RTP, SRTP, UDP, IP) and retransmissions are subtracted (as in libwebrtc 2026-08 video/video_send_stream_impl.cc and
 * call/rtp_video_sender.cc).
 *
 * As in libwebrtc, each packet counts with the largest possible headers: a call of Chromium sends only 96 to 97 % of
 * its estimate. With this margin the queue grows slowly if the estimate is slightly too high, and the controller
 * notices in time.
 */

/** Time over which the share is measured, ms. */
const windowMs = 1000;
const sampleMs = 100;
/**
 * Bytes by which the largest headers exceed those of most packets: extensions for time, colours and names. Measured
 * with Chromium 156.
 */
const headroomBytes = 24;
/** Share before the first measurement: packets of 1160 payload bytes with 80 bytes of headers and the headroom. */
const initialShare = 1160 / (1240 + headroomBytes);
/**
 * Lowest share that the encoder gets, even if retransmissions and headers take more (libwebrtc: half,
 * kMaxProtectionOverhead).
 */
const leastShare = 0.5;

/**
 * Counters since the start of the stream: media payload without retransmissions; media packets without retransmissions;
 * all bytes on the wire except padding.
 */
type Sent = { payloadBytes: number; mediaPackets: number; wireBytes: number };
type Sample = Sent & { timeMs: number };

export class MediaShare {
  #samples: Sample[] = [];
  #share = initialShare;

  /** Takes the counters; returns the encoder's share of the target rate, 0.5 to 1. */
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
