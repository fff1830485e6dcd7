/** Packets of a voice made by hand: when each was sent, how it passed the bottleneck, and when it arrived. */
import type { DropReason } from '../../../../../../core/vocabulary/drop-reason.ts';
import type { PacketLine } from '../../../../../../harness/record/series/packets.ts';
import type { MediaQueueRecord } from '../../../../../../harness/record/series/queue.media.ts';

const frameMs = 20;
/** Delay between sender and bottleneck, ms: that of the link of hand-made records. */
const pathMs = 20;
/** Clock of the feedback: its origin lies this much before that of the record, ms. */
const feedbackOriginMs = 123_456;

/** Difference from a frame that is sent when it is complete and waits 1 ms in the queue. `isUnsent`: no packet. */
export type Way = {
  sendMs?: number;
  toQueueMs?: number;
  sojournMs?: number;
  behindMs?: number;
  drop?: DropReason | 'behind';
  isUnsent?: boolean;
};

/**
 * Returns the series `packets` and `queue.media` of a voice that began at `startMs`. `wayOf`: what happens to the frame
 * that is spoken at a ms since the begin.
 */
export function packetsOf(startMs: number, lengthMs: number, wayOf: (ms: number) => Way) {
  const packets: PacketLine[] = [];
  const queue = {
    timeMs: startMs,
    payloadTypes: [] as number[],
    sequences: [] as number[],
    offeredMs: [] as number[],
    sojournMs: [] as (number | null)[],
    queuePackets: [] as number[],
    dropped: [] as { index: number; reason: DropReason }[],
  } satisfies MediaQueueRecord;
  for (let atMs = 0; atMs < lengthMs; atMs += frameMs) {
    const { sendMs = 0, toQueueMs = 0, sojournMs = 1, behindMs = 0, drop, isUnsent = false } = wayOf(atMs);
    if (isUnsent) continue;
    const sequence = packets.length;
    const sentMs = startMs + atMs + frameMs + sendMs;
    const offeredMs = sentMs + pathMs + toQueueMs;
    packets.push({
      sequence,
      kind: 'voice',
      rtpSequence: sequence,
      rtpTimestamp: 7 + 48 * atMs,
      frame: -1,
      sentMs,
      bytes: 150,
      payloadBytes: 80,
      receivedMs: drop === undefined ? offeredMs + sojournMs + behindMs + feedbackOriginMs : null,
      feedbackMs: offeredMs + sojournMs + behindMs + 60,
    });
    const isDropped = drop !== undefined && drop !== 'behind';
    if (isDropped) queue.dropped.push({ index: queue.sequences.length, reason: drop });
    queue.payloadTypes.push(111);
    queue.sequences.push(sequence);
    queue.offeredMs.push(offeredMs - startMs);
    queue.sojournMs.push(isDropped ? null : sojournMs);
    queue.queuePackets.push(Math.round(sojournMs / 5));
  }
  return { packets, 'queue.media': [queue] };
}
