/** The time line of one frame, on the harness's clock (Unix ms): what each part of the path did with it, and when. */
import type { DropReason } from '../../../../core/vocabulary/drop-reason.ts';

/** The last packet of a frame to arrive, of its first transmissions. */
export type LastCopy = {
  sentMs: number;
  /** When it came to the queue, how long it was there, and what it met; null without a log of the queue. */
  queue: { offeredMs: number; sojournMs: number; packets: number } | null;
  arrivedMs: number;
};

/** What was sent again of a frame. */
type Repairs = {
  packets: number;
  firstSentMs: number;
  /** Those that did not arrive, either. */
  lost: number;
  lastArrivedMs: number | null;
};

/** The moment at which a frame was presented is known to this, ms. */
export const sameMomentMs = 0.5;

export type FrameLine = {
  frame: number;
  rtpTimestamp: number;
  key: boolean;
  captureMs: number;
  encodedMs: number;
  /** When the pacer let the first and the last packet go. */
  firstSentMs: number;
  lastSentMs: number;
  encoderBps: number;
  /**
   * When the first packet came to the bottleneck and the last one left; null where none did, or without a log of the
   * queue.
   */
  offeredMs: number | null;
  leftMs: number | null;
  /**
   * Packets that did not arrive when they were sent first, and why not, as far as the log of the queue says; `behind`:
   * after they had left it.
   */
  lost: number;
  dropped: Record<DropReason | 'behind', number>;
  /**
   * When the first of the lost ones was sent, and when a later packet arrived, by which the browser could see the loss.
   */
  loss: { sentMs: number; seenMs: number | null } | null;
  /** Null where no packet arrived. */
  last: LastCopy | null;
  repairs: Repairs | null;
  /** When the last packet that was needed arrived; null where the frame never became whole, or nothing tells. */
  completeMs: number | null;
  presentedMs: number | null;
  /** Time that decoding took, as the browser tells it. */
  decodingMs: number | null;
};
