/**
 * Detects heavy losses, which the modes do not handle: more than 30 % of the packets over two loops, with more than 20
 * packets.
 *
 * Source: genericCC, where the window then shrinks to 70 %; not in the paper.
 */

const heavyRatio = 0.3;
const minPackets = 20;
const loops = 2;

export class HeavyLoss {
  #packets = 0;
  #lost = 0;
  #startMs: number | undefined;

  /** Takes the packets of a report. Returns true if the losses since the last evaluation are heavy. */
  update(packets: number, lost: number, nowMs: number, loopMs: number): boolean {
    this.#startMs ??= nowMs;
    this.#packets += packets;
    this.#lost += lost;
    if (nowMs - this.#startMs < loops * loopMs || this.#packets <= minPackets) return false;
    const isHeavy = this.#lost > heavyRatio * this.#packets;
    this.#startMs = nowMs;
    this.#packets = 0;
    this.#lost = 0;
    return isHeavy;
  }
}
