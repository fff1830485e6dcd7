/**
 * Detects times in which the application limits the rate: a packet leaves later than pacing and window allow.
 *
 * Own addition to libwebrtc's BBR, which waits for a call of OnApplicationLimited that no code in libwebrtc makes
 * (bbr_network_controller.cc 2018-06; calls while the window is full are ignored). The controller port does not report
 * the sender's queue, so this file derives the queue from send times. Each packet takes its time at the pacing rate, as
 * in a pacer without bursts.
 */

/** Interval of the pacers of 2018, ms. A delay shorter than this interval comes from the pacer (paced_sender.cc). */
const pacerTickMs = 5;

export class AppLimit {
  /** Time at which a pacer without bursts would have finished sending all packets so far, ms. */
  #freeMs = Infinity;
  #wasWindowFull = false;

  /**
   * Takes a sent packet. Returns true if the application limited the rate before this packet. `isWindowFull`: true if
   * the congestion window is full after this packet.
   */
  onSent(sentMs: number, sizeBytes: number, pacingBps: number, isWindowFull: boolean): boolean {
    const isLimited = !this.#wasWindowFull && sentMs > this.#freeMs + pacerTickMs;
    this.#freeMs = Math.max(sentMs, this.#freeMs === Infinity ? sentMs : this.#freeMs) + (sizeBytes * 8000) / pacingBps;
    this.#wasWindowFull = isWindowFull;
    return isLimited;
  }

  /** Called when feedback arrives. Feedback opens a full window, so the next packet may leave at once. */
  onFeedback(nowMs: number): void {
    if (this.#wasWindowFull) this.#freeMs = nowMs;
    this.#wasWindowFull = false;
  }
}
