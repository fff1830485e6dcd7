/** Time line of one frame on the harness's clock (Unix ms), with its times at each part of the path. */
import type { DropReason } from '../../../../core/vocabulary/drop-reason.ts';

/** Packet of a frame that arrived after all other packets of the frame, not counting retransmissions. */
export type LastCopy = {
  sentMs: number;
  /**
   * Arrival of the packet at the first queue, its time until it left the last one, and the number of packets that were
   * already in the queue in which it waited longest; null without a queue log. `hop`: place of that queue in the row,
   * missing for the first.
   */
  queue: { offeredMs: number; sojournMs: number; packets: number; hop?: number } | null;
  arrivedMs: number;
};

/** Retransmissions of the packets of a frame. */
type Repairs = {
  packets: number;
  firstSentMs: number;
  /** Number of retransmissions that were lost, too. */
  lost: number;
  lastArrivedMs: number | null;
};

/** Largest difference between two times of the same presentation, ms. */
export const sameMomentMs = 0.5;

export type FrameLine = {
  frame: number;
  rtpTimestamp: number;
  key: boolean;
  captureMs: number;
  encodedMs: number;
  /** `firstSentMs`, `lastSentMs`: times at which the pacer sent the first and the last packet of the frame. */
  firstSentMs: number;
  lastSentMs: number;
  encoderBps: number;
  /**
   * Time at which the first packet of the frame reached the bottleneck, and time at which the last packet left it. Null
   * if no packet did, or without a queue log.
   */
  offeredMs: number | null;
  leftMs: number | null;
  /**
   * Number of packets whose first transmission was lost, and the reasons if the queue log has them. `behind`: packets
   * that were lost after they had left the queue.
   */
  lost: number;
  dropped: Record<DropReason | 'behind', number>;
  /**
   * Time at which the first lost packet was sent (`sentMs`), and arrival of a later packet, from which the browser
   * could detect the loss (`seenMs`). `hop`: place in the row of the bottleneck that dropped the packet, missing for the
   * first. Null if no packet was lost.
   */
  loss: { sentMs: number; seenMs: number | null; hop?: number } | null;
  /** Packet that arrived last; null if no packet of the frame arrived. */
  last: LastCopy | null;
  repairs: Repairs | null;
  /**
   * Arrival of the last packet that the browser needed for the frame; null if the frame never became complete, or if
   * the time is unknown.
   */
  completeMs: number | null;
  presentedMs: number | null;
  /** Decoding time of the frame as the browser reports it, ms. */
  decodingMs: number | null;
};
