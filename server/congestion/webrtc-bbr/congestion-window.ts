/**
 * The congestion window: grows by the acknowledged bytes towards a multiple of the bandwidth-delay product.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, GetTargetCongestionWindow and
 * CalculateCongestionWindow.
 */

/** Packet size in which window sizes are counted (kDefaultTCPMSS), bytes. */
export const segmentBytes = 1460;

export type WindowOptions = { initialBytes: number; minBytes: number; maxBytes: number };

/**
 * Returns the target window for a gain, bytes. While the bandwidth is unknown, this is a multiple of the initial
 * window.
 */
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
  /** Bytes that this feedback message acknowledges. */
  ackedBytes: number;
  /** Bytes acknowledged since the start of the stream. */
  totalAckedBytes: number;
  /** True if STARTUP has found the bandwidth. While false, the window does not shrink. */
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
