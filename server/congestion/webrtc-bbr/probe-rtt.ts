/**
 * How long PROBE_RTT lasts: once the flight is small, 200 ms and a round.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, MaybeEnterOrExitProbeRtt.
 */

/** kProbeRttTimeMs. */
const durationMs = 200;
/** The flight may be one packet above the window, which is checked before a packet leaves (kMaxPacketSize), bytes. */
const packetBytes = 1452;

type ProbeRttInput = { nowMs: number; inFlightBytes: number; windowBytes: number; isRoundStart: boolean };

export class ProbeRtt {
  #endMs: number | undefined;
  #roundPassed = false;

  start(): void {
    this.#endMs = undefined;
    this.#roundPassed = false;
  }

  /** Works through a feedback message; returns whether the probe is over. */
  update({ nowMs, inFlightBytes, windowBytes, isRoundStart }: ProbeRttInput): boolean {
    if (this.#endMs === undefined) {
      if (inFlightBytes < windowBytes + packetBytes) this.#endMs = nowMs + durationMs;
      return false;
    }
    this.#roundPassed ||= isRoundStart;
    return nowMs >= this.#endMs && this.#roundPassed;
  }
}
