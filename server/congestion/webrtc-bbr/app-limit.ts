/**
 * Whether the application left the path idle: a packet leaves later than pacing and window would have let it.
 *
 * Own, in place of the announcement that libwebrtc's BBR waits for and nothing there makes (bbr_network_controller.cc
 * 2018-06, OnApplicationLimited, which refuses it while the window is full). The port has no word of the sender's
 * queue, so it is told from sending times. Each packet books its time at the pacing rate, as in a pacer without bursts.
 */

/** Pacers of 2018 woke up so often; a shorter delay is theirs (paced_sender.cc), ms. */
const pacerTickMs = 5;

export class AppLimit {
  /** When everything sent so far would have been paced out. */
  #freeMs = Infinity;
  #wasWindowFull = false;

  /** `isWindowFull`: after this packet. Returns whether the application was the limit before it. */
  onSent(sentMs: number, sizeBytes: number, pacingBps: number, isWindowFull: boolean): boolean {
    const isLimited = !this.#wasWindowFull && sentMs > this.#freeMs + pacerTickMs;
    this.#freeMs = Math.max(sentMs, this.#freeMs === Infinity ? sentMs : this.#freeMs) + (sizeBytes * 8000) / pacingBps;
    this.#wasWindowFull = isWindowFull;
    return isLimited;
  }

  /** Feedback that opens a full window lets the sender go on from now. */
  onFeedback(nowMs: number): void {
    if (this.#wasWindowFull) this.#freeMs = nowMs;
    this.#wasWindowFull = false;
  }
}
