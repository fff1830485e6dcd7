/**
 * The acked bitrate: what the receiver got lately, never more than what was sent.
 *
 * Source: libwebrtc 2026-08, goog_cc/robust_throughput_estimator.cc, the default there. All packets of
 * this sender carry a transport-wide sequence number, so there is no unacked data to add.
 */

/** The window holds at least so many packets (window_packets) and so much time (min_window_duration, ms) ... */
const windowPackets = 20;
const windowMs = 1000;
/** ... and at most so many (max_window_packets) and so much (max_window_duration, ms). */
const maxWindowPackets = 500;
const maxWindowMs = 5000;
/** Fewer packets give no estimate (required_packets). */
const requiredPackets = 10;
/** A packet older than the newest by more than this means another clock: start anew (kMaxReorderingTime), ms. */
const maxReorderingMs = 1000;
/** Rates are never taken over less time than this, ms. */
const minDurationMs = 1;

export type AckedPacket = { sentMs: number; receivedMs: number; sizeBytes: number };

export class AckedBitrate {
  /** In order of arrival. */
  #window: AckedPacket[] = [];
  /** Latest sending time of a packet that has left the window. */
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

  /** bit/s; undefined while there are too few packets. */
  get rateBps(): number | undefined {
    if (this.#window.length < requiredPackets) return undefined;
    const receiveBps = this.#receiveBps();
    const sendBps = this.#sendBps();
    return sendBps === undefined ? receiveBps : Math.min(sendBps, receiveBps);
  }

  /** Whether the window without its `dropped` oldest packets is still larger than it has to be. */
  #isTooMuch(dropped: number): boolean {
    const packets = this.#window.length - dropped;
    if (packets <= 0) return false;
    const durationMs = this.#window.at(-1)!.receivedMs - this.#window[dropped]!.receivedMs;
    return packets > maxWindowPackets || durationMs > maxWindowMs || (packets > windowPackets && durationMs > windowMs);
  }

  /**
   * The first packet's bytes arrived before the window's time began. One pause, the longest, is not held against the
   * link.
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

  /** The last packet's bytes left after the window's time ended. Packets overtaken by discarded ones do not count. */
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
