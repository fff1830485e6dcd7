/**
 * Detects an idle path: a packet leaves later than pacing and window allow, so the application is the limit.
 *
 * Own addition. libwebrtc's BBR waits for an announcement that no code there makes (bbr_network_controller.cc 2018-06,
 * OnApplicationLimited, which refuses it while the window is full). The controller port does not report the sender's
 * queue, so it is derived from send times. Each packet takes its time at the pacing rate, as in a pacer without bursts.
 */

/** Interval of the pacers of 2018, ms; a shorter delay is caused by the pacer (paced_sender.cc). */
const pacerTickMs = 5;

export class AppLimit {
  /** Time at which all packets sent so far would be paced out. */
  #freeMs = Infinity;
  #wasWindowFull = false;

  /** `isWindowFull`: state after this packet. Returns true if the application was the limit before the packet. */
  onSent(sentMs: number, sizeBytes: number, pacingBps: number, isWindowFull: boolean): boolean {
    const isLimited = !this.#wasWindowFull && sentMs > this.#freeMs + pacerTickMs;
    this.#freeMs = Math.max(sentMs, this.#freeMs === Infinity ? sentMs : this.#freeMs) + (sizeBytes * 8000) / pacingBps;
    this.#wasWindowFull = isWindowFull;
    return isLimited;
  }

  /** Feedback that opens a full window allows packets from now on. */
  onFeedback(nowMs: number): void {
    if (this.#wasWindowFull) this.#freeMs = nowMs;
    this.#wasWindowFull = false;
  }
}
