/**
 * The acked bitrate: the recent receive rate, never above the send rate.
 *
 * Source: libwebrtc 2026-08, goog_cc/robust_throughput_estimator.cc, the default in libwebrtc. All packets of this
 * sender carry a transport-wide sequence number, so there is no unacked data to add.
 */

/** Smallest number of packets (window_packets) and smallest duration (min_window_duration, ms) of the window. */
const windowPackets = 20;
const windowMs = 1000;
/** Largest number of packets (max_window_packets) and largest duration (max_window_duration, ms) of the window. */
const maxWindowPackets = 500;
const maxWindowMs = 5000;
/** Smallest number of packets for an estimate (required_packets). */
const requiredPackets = 10;
/**
 * Longest time by which a packet may have arrived before the newest one, ms. A longer time means that the clock has
 * changed; the window is then cleared (kMaxReorderingTime).
 */
const maxReorderingMs = 1000;
/** Shortest time over which a rate is computed, ms. */
const minDurationMs = 1;

export type AckedPacket = { sentMs: number; receivedMs: number; sizeBytes: number };

export class AckedBitrate {
  /** Packets in the window, in order of arrival. */
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

  /** Acked bitrate; undefined while the window has too few packets. */
  get rateBps(): number | undefined {
    if (this.#window.length < requiredPackets) return undefined;
    const receiveBps = this.#receiveBps();
    const sendBps = this.#sendBps();
    return sendBps === undefined ? receiveBps : Math.min(sendBps, receiveBps);
  }

  /** True if the window without its `dropped` oldest packets is still larger than its limits allow. */
  #isTooMuch(dropped: number): boolean {
    const packets = this.#window.length - dropped;
    if (packets <= 0) return false;
    const durationMs = this.#window.at(-1)!.receivedMs - this.#window[dropped]!.receivedMs;
    return packets > maxWindowPackets || durationMs > maxWindowMs || (packets > windowPackets && durationMs > windowMs);
  }

  /**
   * Returns the receive rate of the window. The bytes of the first packet do not count, because they arrived before the
   * window's time began. The longest gap between packets counts only as much as the second longest, so that a single
   * pause does not lower the rate.
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
   * Returns the send rate of the window; undefined if the rate is unknown. The bytes of the last packet do not count,
   * because they left after the window's time ended. Packets sent before a discarded packet do not count either.
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
