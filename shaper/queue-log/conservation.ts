/**
 * Checks that a queue log adds up: each packet that came in left, was dropped or waits. Pure: records in, numbers out.
 */
import type { QueueRecord } from './format.ts';

export type Conservation = {
  enqueuedPackets: number;
  /** Packets enqueued and dequeued. */
  dequeuedPackets: number;
  /** Packets dropped from the queue; not those refused on arrival or lost before it. */
  droppedPackets: number;
  /** Packets enqueued but neither dequeued nor dropped by the end. */
  waitingPackets: number;
  /** Packets dequeued without an enqueue: they waited when the log began, or their record was lost. */
  unseenPackets: number;
  /** Packets enqueued again while they waited: never in a sound log. */
  repeatedPackets: number;
  /**
   * Enqueues and dequeues after which the queue's count differs from the computed one. Almost none for a FIFO that was
   * empty when the log began: only a dequeue reported from behind the queue (queue-log.bpf.c) can be a packet late.
   */
  differingRecords: number;
  /** The queue's count at the end, 0 in an empty log. */
  queuePackets: number;
  /**
   * True if no packet is unseen or repeated, and the queue's count at the end is right. A queue that pushes out its own
   * packets (fq_codel) must have drained before the log ended.
   */
  holds: boolean;
};

/** True if a log adds up in which the enqueues of at most `unreported` packets in the queue are missing at the end. */
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
