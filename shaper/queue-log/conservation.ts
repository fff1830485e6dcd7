/**
 * Checks that a queue log adds up: each enqueued packet was dequeued or dropped, or still waits. Pure: records in,
 * numbers out.
 */
import type { QueueRecord } from './format.ts';

export type Conservation = {
  enqueuedPackets: number;
  /** Packets whose enqueue and dequeue are both in the log. */
  dequeuedPackets: number;
  /** Packets dropped from the queue, without those refused on arrival or lost before the queue. */
  droppedPackets: number;
  /** Packets that were enqueued and neither dequeued nor dropped by the end of the log. */
  waitingPackets: number;
  /** Packets dequeued without an enqueue in the log: they waited when the log began, or their record was lost. */
  unseenPackets: number;
  /** Packets enqueued again while they waited; a sound log has none. */
  repeatedPackets: number;
  /**
   * Number of enqueues and dequeues after which the number of packets in the record differs from the computed number. A
   * FIFO that was empty when the log began has almost none: only a dequeue that is reported behind the queue
   * (queue-log.bpf.c) can be one packet late.
   */
  differingRecords: number;
  /** Number of packets in the queue by the last enqueue or dequeue; 0 in an empty log. */
  queuePackets: number;
  /**
   * True if no packet is unseen or repeated, and `queuePackets` equals `waitingPackets`. A queue that pushes out its
   * own packets (fq_codel) must have drained before the log ended.
   */
  holds: boolean;
};

/**
 * Returns true if a log adds up when the enqueues of at most `unreported` packets, still in the queue at the end, are
 * missing from it.
 */
export function isAccountedFor(counts: Omit<Conservation, 'holds'>, unreported = 0): boolean {
  const missing = counts.queuePackets - counts.waitingPackets;
  return counts.unseenPackets === 0 && counts.repeatedPackets === 0 && missing >= 0 && missing <= unreported;
}

export function conservationOf(records: Iterable<QueueRecord>): Conservation {
  const waiting = new Set<number>();
  const counts = {
    enqueuedPackets: 0,
    dequeuedPackets: 0,
    droppedPackets: 0,
    waitingPackets: 0,
    unseenPackets: 0,
    repeatedPackets: 0,
    differingRecords: 0,
    queuePackets: 0,
  };
  for (const { event, packet, queuePackets } of records) {
    const known = waiting.has(packet);
    if (event === 'enqueue') {
      counts.enqueuedPackets++;
      if (known) counts.repeatedPackets++;
      waiting.add(packet);
    } else if (event === 'dequeue') {
      if (known) counts.dequeuedPackets++;
      else counts.unseenPackets++;
      waiting.delete(packet);
    } else if (event === 'drop' && known) {
      counts.droppedPackets++;
      waiting.delete(packet);
    }
    if (event === 'enqueue' || event === 'dequeue') {
      if (queuePackets !== waiting.size) counts.differingRecords++;
      counts.queuePackets = queuePackets;
    }
  }
  counts.waitingPackets = waiting.size;
  return { ...counts, holds: isAccountedFor(counts) };
}
