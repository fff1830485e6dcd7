/**
 * A law as the virtual bottleneck asks it (queue.ts): who is dropped as it comes, and who as it is to be sent. Times are
 * ms of any clock that does not go back.
 */

/** What waits, without the packet that is being sent. */
export type Waiting = { packets: number; bytes: number };

/** Packets at the head of the queue as a law takes them. */
export type Head = {
  /** Takes the first one: for how long it has waited, and what is behind it. Undefined: none waits. */
  take(): { waitedMs: number; behindBytes: number } | undefined;
  /** Drops the one that was taken last. */
  drop(): void;
};

export interface Law {
  /** Whether the packet that comes now is dropped. */
  dropsArrival(nowMs: number, waiting: Waiting): boolean;
  /** Takes packets until one is to be sent. False: none is left. */
  leave(nowMs: number, head: Head, waiting: Waiting): boolean;
  /**
   * How near the law came to a drop so far: 1 is the first that it must or, where chance decides, may make. Below that
   * no packet was in danger.
   */
  readonly danger: number;
}
