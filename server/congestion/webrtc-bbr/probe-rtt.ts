/**
 * Determines the end of PROBE_RTT: 200 ms and one round after the bytes in flight have become few.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, MaybeEnterOrExitProbeRtt.
 */

/** Time for which few bytes must be in flight, ms (kProbeRttTimeMs). */
const durationMs = 200;
/**
 * Bytes by which the bytes in flight may exceed the window: one packet (kMaxPacketSize), because the window is checked
 * before a packet is sent.
 */
const packetBytes = 1452;

type ProbeRttInput = { nowMs: number; inFlightBytes: number; windowBytes: number; isRoundStart: boolean };

export class ProbeRtt {
  #endMs: number | undefined;
  #roundPassed = false;

  start(): void {
    this.#endMs = undefined;
    this.#roundPassed = false;
  }

  /** Takes a feedback message; returns true if the probe is over. */
  update({ nowMs, inFlightBytes, windowBytes, isRoundStart }: ProbeRttInput): boolean {
    if (this.#endMs === undefined) {
      if (inFlightBytes < windowBytes + packetBytes) this.#endMs = nowMs + durationMs;
      return false;
    }
    this.#roundPassed ||= isRoundStart;
    return nowMs >= this.#endMs && this.#roundPassed;
  }
}
