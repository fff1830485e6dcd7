/**
 * Detects heavy losses, to which the default and the competitive mode do not react: losses of more than 30 % of the
 * packets in two loops, among more than 20 packets.
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

  /**
   * Takes the number of packets in a report, and the number of lost ones. Returns true if the losses since the last
   * evaluation are heavy.
   */
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
