/** Time line of one frame on the harness's clock (Unix ms), with the times at each part of the path. */
import type { DropReason } from '../../../../core/vocabulary/drop-reason.ts';

/** Last packet of a frame to arrive, without retransmissions. */
export type LastCopy = {
  sentMs: number;
  /** Arrival at the queue, time in it, and packets already in it; null without a queue log. */
  queue: { offeredMs: number; sojournMs: number; packets: number } | null;
  arrivedMs: number;
};

/** Retransmissions of a frame. */
type Repairs = {
  packets: number;
  firstSentMs: number;
  /** Retransmissions that were lost as well. */
  lost: number;
  lastArrivedMs: number | null;
};

/** Precision of a presentation time, ms. */
export const sameMomentMs = 0.5;

export type FrameLine = {
  frame: number;
  rtpTimestamp: number;
  key: boolean;
  captureMs: number;
  encodedMs: number;
  /** Times at which the pacer sent the first and the last packet. */
  firstSentMs: number;
  lastSentMs: number;
  encoderBps: number;
  /**
   * Times at which the first packet reached the bottleneck and the last one left it; null if none did, or without a
   * queue log.
   */
  offeredMs: number | null;
  leftMs: number | null;
  /**
   * Packets whose first transmission was lost, and the reasons if the queue log has them. `behind`: lost after they had
   * left the queue.
   */
  lost: number;
  dropped: Record<DropReason | 'behind', number>;
  /**
   * Sending time of the first lost packet, and arrival of a later packet, by which the browser could detect the loss.
   */
  loss: { sentMs: number; seenMs: number | null } | null;
  /** Null if no packet arrived. */
  last: LastCopy | null;
  repairs: Repairs | null;
  /** Arrival of the last packet that was needed; null if the frame never became complete or the time is unknown. */
  completeMs: number | null;
  presentedMs: number | null;
  /** Decoding time reported by the browser. */
  decodingMs: number | null;
};
