/**
 * Duration of PROBE_RTT: 200 ms and a round after the flight has become small.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, MaybeEnterOrExitProbeRtt.
 */

/** Time with a small flight (kProbeRttTimeMs). */
const durationMs = 200;
/**
 * Allowed excess of the flight over the window, which is checked before a packet is sent: one packet (kMaxPacketSize),
 * bytes.
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
