/**
 * The acked bitrate: the recent receive rate, never above the send rate.
 *
 * Source: libwebrtc 2026-08, goog_cc/robust_throughput_estimator.cc, the default there. All packets of this sender
 * carry a transport-wide sequence number, so there is no unacked data to add.
 */

/** Least packets (window_packets) and least time (min_window_duration, ms) in the window. */
const windowPackets = 20;
const windowMs = 1000;
/** Most packets (max_window_packets) and most time (max_window_duration, ms) in the window. */
const maxWindowPackets = 500;
const maxWindowMs = 5000;
/** Least packets for an estimate (required_packets). */
const requiredPackets = 10;
/**
 * Largest age of a packet against the newest, ms; an older packet means that the clock has changed, and the window is
 * cleared (kMaxReorderingTime).
 */
const maxReorderingMs = 1000;
/** Least time over which a rate is computed, ms. */
const minDurationMs = 1;

export type AckedPacket = { sentMs: number; receivedMs: number; sizeBytes: number };

export class AckedBitrate {
  /** Packets in order of arrival. */
  #window: AckedPacket[] = [];
  /** Latest send time of all packets that have left the window. */
  #discardedSentMs = -Infinity;

  /** Adds packets in order of arrival. */
  add(packets: readonly AckedPacket[]): void {
    for (const packet of packets) {
      let at = this.#window.length;
      while (at > 0 && packet.receivedMs < this.#window[at - 1]!.receivedMs) at--;
      if (at === this.#window.length) this.#window.push(packet);
      else this.#window.splice(at, 0, packet);
      if (this.#window.at(-1)!.receivedMs - packet.receivedMs > maxReorderingMs) {
        this.#window = [];
        this.#discardedSentMs = -Infinity;
      }
    }
    let surplus = 0;
    while (this.#isTooMuch(surplus)) surplus++;
    if (surplus === 0) return;
    for (const { sentMs } of this.#window.splice(0, surplus))
      this.#discardedSentMs = Math.max(this.#discardedSentMs, sentMs);
  }

  /** Estimate; undefined while there are too few packets. */
  get rateBps(): number | undefined {
    if (this.#window.length < requiredPackets) return undefined;
    const receiveBps = this.#receiveBps();
    const sendBps = this.#sendBps();
    return sendBps === undefined ? receiveBps : Math.min(sendBps, receiveBps);
  }

  /** True if the window exceeds its limits even without its `dropped` oldest packets. */
  #isTooMuch(dropped: number): boolean {
    const packets = this.#window.length - dropped;
    if (packets <= 0) return false;
    const durationMs = this.#window.at(-1)!.receivedMs - this.#window[dropped]!.receivedMs;
    return packets > maxWindowPackets || durationMs > maxWindowMs || (packets > windowPackets && durationMs > windowMs);
  }

  /**
   * Receive rate of the window. The first packet's bytes arrived before the window's time began, so they do not count.
   * The longest gap counts only as long as the second longest: one pause is not blamed on the link.
   */
  #receiveBps(): number {
    let bytes = -this.#window[0]!.sizeBytes;
    let longestMs = 0;
    let secondMs = 0;
    let previousMs = this.#window[0]!.receivedMs;
    for (const { receivedMs, sizeBytes } of this.#window) {
      bytes += sizeBytes;
      const gapMs = receivedMs - previousMs;
      previousMs = receivedMs;
      if (gapMs > longestMs) {
        secondMs = longestMs;
        longestMs = gapMs;
      } else if (gapMs > secondMs) {
        secondMs = gapMs;
      }
    }
    return rate(bytes, previousMs - this.#window[0]!.receivedMs - longestMs + secondMs);
  }

  /**
   * Send rate of the window. The last packet's bytes left after the window's time ended, so they do not count. Packets
   * sent before a discarded packet do not count either.
   */
  #sendBps(): number | undefined {
    let bytes = 0;
    let packets = 0;
    let firstMs = Infinity;
    let lastMs = -Infinity;
    let lastBytes = 0;
    for (const { sentMs, sizeBytes } of this.#window) {
      if (sentMs < this.#discardedSentMs) continue;
      if (sentMs > lastMs) {
        lastMs = sentMs;
        lastBytes = sizeBytes;
      }
      firstMs = Math.min(firstMs, sentMs);
      bytes += sizeBytes;
      packets++;
    }
    return packets < requiredPackets ? undefined : rate(bytes - lastBytes, lastMs - firstMs);
  }
}

function rate(bytes: number, durationMs: number): number {
  return (bytes * 8000) / Math.max(durationMs, minDurationMs);
}
