/**
 * Measures the delivery rate of each acknowledged packet: the smaller of send rate and ack rate. Both rates are
 * measured from the packet that was the last acknowledged one when the sampled packet was sent.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr/bandwidth_sampler.cc. A packet is acknowledged when the feedback reaches
 * the sender, so the feedback interval affects the rate, and the round trip includes the time for which the receiver
 * held the report.
 */

/**
 * Sample of one acknowledged packet. `bandwidthBps` and `rttMs` are 0 if the packet gives no value; the filter treats 0
 * like any other value.
 */
export type BandwidthSample = { bandwidthBps: number; rttMs: number; isAppLimited: boolean };

/** State of the sender at the time when a packet was sent. */
type SentState = {
  sentMs: number;
  sizeBytes: number;
  totalSentBytes: number;
  totalAckedBytes: number;
  reference: Reference | undefined;
  isAppLimited: boolean;
};

/** Packet from which rates are measured: the last acknowledged packet, or the first packet of a new flight. */
type Reference = { sentMs: number; ackedMs: number; totalSentBytes: number };

const none: BandwidthSample = { bandwidthBps: 0, rttMs: 0, isAppLimited: false };

export class BandwidthSampler {
  readonly #sent = new Map<number, SentState>();
  #totalSentBytes = 0;
  #totalAckedBytes = 0;
  #reference: Reference | undefined;
  #lastSequence = -1;
  #isAppLimited = false;
  /** Sequence number of the newest packet in the application-limited phase. */
  #appLimitedUntil = -1;

  get totalAckedBytes(): number {
    return this.#totalAckedBytes;
  }

  get isAppLimited(): boolean {
    return this.#isAppLimited;
  }

  /**
   * Records a sent packet. `startsFlight`: true if no other packet is in flight, so that rates are measured from this
   * packet.
   */
  onSent(sequence: number, sentMs: number, sizeBytes: number, startsFlight: boolean): void {
    this.#lastSequence = sequence;
    this.#totalSentBytes += sizeBytes;
    if (startsFlight) this.#reference = { sentMs, ackedMs: sentMs, totalSentBytes: this.#totalSentBytes };
    this.#sent.set(sequence, {
      sentMs,
      sizeBytes,
      totalSentBytes: this.#totalSentBytes,
      totalAckedBytes: this.#totalAckedBytes,
      reference: this.#reference,
      isAppLimited: this.#isAppLimited,
    });
  }

  onAcked(sequence: number, nowMs: number): BandwidthSample {
    const packet = this.#sent.get(sequence);
    if (packet === undefined) return none;
    this.#sent.delete(sequence);
    this.#totalAckedBytes += packet.sizeBytes;
    this.#reference = { sentMs: packet.sentMs, ackedMs: nowMs, totalSentBytes: packet.totalSentBytes };
    if (this.#isAppLimited && sequence > this.#appLimitedUntil) this.#isAppLimited = false;
    const since = packet.reference;
    if (since === undefined || nowMs <= since.ackedMs) return none;
    const sendBps =
      packet.sentMs > since.sentMs
        ? rate(packet.totalSentBytes - since.totalSentBytes, packet.sentMs - since.sentMs)
        : Infinity;
    const ackBps = rate(this.#totalAckedBytes - packet.totalAckedBytes, nowMs - since.ackedMs);
    return { bandwidthBps: Math.min(sendBps, ackBps), rttMs: nowMs - packet.sentMs, isAppLimited: packet.isAppLimited };
  }

  onLost(sequence: number): void {
    this.#sent.delete(sequence);
  }

  /**
   * Starts an application-limited phase, in which samples are limited by the application. The phase ends when a packet
   * sent after this call is acknowledged.
   */
  onAppLimited(): void {
    this.#isAppLimited = true;
    this.#appLimitedUntil = this.#lastSequence;
  }

  /** Forgets the packets before `sequence`, because no further feedback on them is expected. */
  forgetBefore(sequence: number): void {
    for (const key of this.#sent.keys()) {
      if (key >= sequence) return;
      this.#sent.delete(key);
    }
  }
}

function rate(bytes: number, durationMs: number): number {
  return (bytes * 8000) / durationMs;
}
