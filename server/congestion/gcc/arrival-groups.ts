/**
 * Packets that left together, and how much later than its predecessor each such group arrived.
 *
 * Source: libwebrtc 2026-08, goog_cc/inter_arrival_delta.{h,cc}; the idea is draft-ietf-rmcat-gcc-02
 * section 5.2. Sizes of the groups are not kept: the trendline does not use them.
 */

/** Packets sent at most this long after a group's first belong to it (kSendTimeGroupLength), ms. */
const groupLengthMs = 5;
/** A packet arriving within this of the one before may be part of a burst (kBurstDeltaThreshold), ms. */
const burstGapMs = 5;
/** A burst is never taken to be longer than this on arrival (kMaxBurstDuration), ms. */
const maxBurstMs = 100;
/** The receiver's clock has jumped when it gains so much on ours between groups (kArrivalTimeOffsetThreshold), ms. */
const clockJumpMs = 3000;
/** Packets in a row that end a group before its predecessor's arrival, and cause a reset (kReorderedResetThreshold). */
const reorderedToReset = 3;

type Group = {
  firstSentMs: number;
  lastSentMs: number;
  firstReceivedMs: number;
  /** Arrival of the packet added last. */
  completeMs: number;
  /** When the sender learned of the packet added last. */
  learnedMs: number;
};

type GroupDelta = {
  /** Time between the last packets of two consecutive groups where they were sent. */
  sendDeltaMs: number;
  /** The same where they arrived. */
  arrivalDeltaMs: number;
};

export class ArrivalGroups {
  #current: Group | undefined;
  #previous: Group | undefined;
  #reorderedInARow = 0;

  /**
   * Adds a packet, in order of arrival. Returns the two completed groups' distance when the packet opens
   * a third one. `nowMs` is the sender's clock, `receivedMs` the receiver's.
   */
  add(sentMs: number, receivedMs: number, nowMs: number): GroupDelta | undefined {
    const current = this.#current;
    if (current === undefined) {
      this.#current = group(sentMs, receivedMs, nowMs);
      return undefined;
    }
    if (sentMs < current.firstSentMs) return undefined;
    if (belongsTo(current, sentMs, receivedMs)) {
      current.lastSentMs = Math.max(current.lastSentMs, sentMs);
      current.completeMs = receivedMs;
      current.learnedMs = nowMs;
      return undefined;
    }
    const previous = this.#previous;
    const delta = previous && {
      sendDeltaMs: current.lastSentMs - previous.lastSentMs,
      arrivalDeltaMs: current.completeMs - previous.completeMs,
    };
    if (delta !== undefined && previous !== undefined) {
      if (delta.arrivalDeltaMs - (current.learnedMs - previous.learnedMs) >= clockJumpMs) {
        this.#reset();
        return undefined;
      }
      if (delta.arrivalDeltaMs < 0) {
        if (++this.#reorderedInARow >= reorderedToReset) this.#reset();
        return undefined;
      }
      this.#reorderedInARow = 0;
    }
    this.#previous = current;
    this.#current = group(sentMs, receivedMs, nowMs);
    return delta;
  }

  #reset(): void {
    this.#current = undefined;
    this.#previous = undefined;
    this.#reorderedInARow = 0;
  }
}

function group(sentMs: number, receivedMs: number, nowMs: number): Group {
  return {
    firstSentMs: sentMs,
    lastSentMs: sentMs,
    firstReceivedMs: receivedMs,
    completeMs: receivedMs,
    learnedMs: nowMs,
  };
}

function belongsTo(current: Group, sentMs: number, receivedMs: number): boolean {
  const sendGapMs = sentMs - current.lastSentMs;
  if (sendGapMs === 0) return true;
  const arrivalGapMs = receivedMs - current.completeMs;
  const burst =
    arrivalGapMs - sendGapMs < 0 && arrivalGapMs <= burstGapMs && receivedMs - current.firstReceivedMs < maxBurstMs;
  return burst || sentMs - current.firstSentMs <= groupLengthMs;
}
