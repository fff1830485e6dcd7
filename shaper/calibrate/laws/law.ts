/**
 * Interface of a drop law for the virtual bottleneck (queue.ts): decides on packets at arrival and at departure. Times
 * are ms of any clock that does not go back.
 */

/** Waiting packets without the one in service. */
export type Waiting = { packets: number; bytes: number };

/** Packets at the head of the queue. */
export type Head = {
  /** Takes the first packet. Returns its waiting time and the bytes behind it; undefined if the queue is empty. */
  take(): { waitedMs: number; behindBytes: number } | undefined;
  /** Drops the packet that was taken last. */
  drop(): void;
};

export interface Law {
  dropsArrival(nowMs: number, waiting: Waiting): boolean;
  /** Takes packets until one is to be sent. False if none is left. */
  leave(nowMs: number, head: Head, waiting: Waiting): boolean;
  /**
   * Closeness of the law to a drop so far: 1 is the first drop that it must make or, if drops are random, may make.
   * Below 1 no packet can be dropped.
   */
  readonly danger: number;
}
