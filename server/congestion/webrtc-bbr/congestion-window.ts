/**
 * The congestion window: grows by what is acknowledged towards a multiple of the bandwidth-delay product.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, GetTargetCongestionWindow and
 * CalculateCongestionWindow.
 */

/** The unit of windows (kDefaultTCPMSS), bytes. */
export const segmentBytes = 1460;

export type WindowOptions = { initialBytes: number; minBytes: number; maxBytes: number };

/** Bytes that a gain allows in flight; before the first bandwidth it counts from the initial window. */
export function targetWindowBytes(
  gain: number,
  bandwidthBps: number,
  minRttMs: number,
  { initialBytes, minBytes }: WindowOptions,
): number {
  const productBytes = (bandwidthBps / 8000) * minRttMs;
  return Math.max(gain * (productBytes > 0 ? productBytes : initialBytes), minBytes);
}

type WindowUpdate = {
  targetBytes: number;
  /** By this message. */
  ackedBytes: number;
  /** Since the connection began. */
  totalAckedBytes: number;
  /** Whether STARTUP has found the bandwidth; until then the window does not shrink. */
  isFullBandwidth: boolean;
};

export class CongestionWindow {
  readonly #options: WindowOptions;
  #bytes: number;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#bytes = options.initialBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  update({ targetBytes, ackedBytes, totalAckedBytes, isFullBandwidth }: WindowUpdate): void {
    const { initialBytes, minBytes, maxBytes } = this.#options;
    if (isFullBandwidth) this.#bytes = Math.min(targetBytes, this.#bytes + ackedBytes);
    else if (this.#bytes < targetBytes || totalAckedBytes < initialBytes) this.#bytes += ackedBytes;
    this.#bytes = Math.min(Math.max(this.#bytes, minBytes), maxBytes);
  }
}
