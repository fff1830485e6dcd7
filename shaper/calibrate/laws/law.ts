/**
 * Interface of a drop law for the virtual bottleneck (queue.ts): the law decides at the arrival and at the departure of
 * each packet if it is dropped. Times are ms of any clock that does not go back.
 */

/** Content of the queue without the packet in service. */
export type Waiting = { packets: number; bytes: number };

/** Access to the packets at the head of the queue. */
export type Head = {
  /**
   * Removes the first packet from the queue. Returns the packet's waiting time and the bytes behind it; undefined if
   * the queue is empty.
   */
  take(): { waitedMs: number; behindBytes: number } | undefined;
  /** Drops the packet that `take` returned last. */
  drop(): void;
};

export interface Law {
  dropsArrival(nowMs: number, waiting: Waiting): boolean;
  /** Takes packets from the head until one of them is to be sent. Returns false if no packet is left. */
  leave(nowMs: number, head: Head, waiting: Waiting): boolean;
  /**
   * Largest closeness to a drop so far. At 1 the law must make its first drop or, if its drops are random, may make it.
   * Below 1 no packet can be dropped.
   */
  readonly danger: number;
}
