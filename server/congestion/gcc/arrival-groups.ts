/**
 * Groups packets that left together, and computes the change of delay between consecutive groups.
 *
 * Source: libwebrtc 2026-08, goog_cc/inter_arrival_delta.{h,cc}; the idea is from draft-ietf-rmcat-gcc-02 section 5.2.
 * Sizes of the groups are not kept, because the trendline does not use them.
 */

/** Longest time from the first to the last packet of a group at the sender (kSendTimeGroupLength), ms. */
const groupLengthMs = 5;
/** Longest gap between two packets of a burst at the receiver (kBurstDeltaThreshold), ms. */
const burstGapMs = 5;
/** Longest duration of a burst at the receiver (kMaxBurstDuration), ms. */
const maxBurstMs = 100;
/**
 * Clock jump, ms: the receiver's clock has jumped if it gains more than this time between two groups
 * (kArrivalTimeOffsetThreshold).
 */
const clockJumpMs = 3000;
/**
 * Number of consecutive packets that find the current group arrived before the previous group. At this number the
 * groups are reset (kReorderedResetThreshold).
 */
const reorderedToReset = 3;

type Group = {
  firstSentMs: number;
  lastSentMs: number;
  firstReceivedMs: number;
  /** Arrival time of the packet added last. */
  completeMs: number;
  /** Time at which the sender got feedback on the packet added last. */
  learnedMs: number;
};

type GroupDelta = {
  /** Time between the last packets of two consecutive groups at the sender. */
  sendDeltaMs: number;
  /** Time between the last packets of two consecutive groups at the receiver. */
  arrivalDeltaMs: number;
};

export class ArrivalGroups {
  #current: Group | undefined;
  #previous: Group | undefined;
  #reorderedInARow = 0;

  /**
   * Adds a packet, in order of arrival. If the packet opens a third group, returns the times between the two completed
   * groups, else undefined. `nowMs` is on the sender's clock, `receivedMs` on the receiver's.
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
