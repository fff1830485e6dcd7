/**
 * The link model of a definition: one bottleneck, in the direction towards the client.
 *
 * The rate counts Ethernet frames without checksum (an IP packet of 1500 bytes as 1514), as tc does.
 */
import { object, queueLimit, rate, ratio } from '../base/schema.ts';
import { formatDuration, formatRate, formatRatio, trimmed } from '../base/units.ts';
import type { QueueLimit } from '../base/units.ts';

/** Bytes that tc counts for a full-sized IP packet of 1500 bytes: with the Ethernet header, without checksum. */
export const fullFrameBytes = 1514;

export type Link = {
  /** Bottleneck rate, bit/s of Ethernet frames. */
  rateBps: number;
  /** Where the FIFO drops the tail. */
  queue: QueueLimit;
  /** Probability that a packet is lost at random before the queue, 0 to 1. */
  lossRatio: number;
};

export const linkSchema = object({
  rate: rate({ min: 64e3, max: 10e9 }).describe('Rate of the bottleneck towards the client, in Ethernet bytes.'),
  queue: object({
    limit: queueLimit().describe('Limit of the drop-tail queue: packets, bytes, or the time the link needs to drain it.'),
  }),
  loss: ratio({ min: 0, max: 0.9 }).default(0).describe('Random loss before the queue, the same for all senders.'),
}).transform(({ rate, queue, loss }): Link => ({ rateBps: rate, queue: queue.limit, lossRatio: loss }))
  .refine(link => queueLimitForms(link).packets >= 1, { error: 'the queue must hold at least one full packet (1514 bytes)', path: ['queue', 'limit'] });

/** The queue limit in all its forms, for full-sized frames: what a report prints. */
export function queueLimitForms(link: Link): { packets: number; bytes: number; ms: number } {
  const { unit, value } = link.queue;
  const bytes = unit === 'packets' ? value * fullFrameBytes : unit === 'bytes' ? value : value * link.rateBps / 8000;
  return { packets: bytes / fullFrameBytes, bytes, ms: bytes * 8000 / link.rateBps };
}

/** "40 Mbit/s, FIFO 1000 packets (1.51 MB, 303 ms), random loss 2 %". */
export function describeLink(link: Link): string {
  const forms = queueLimitForms(link);
  const limit = link.queue.unit === 'packets' ? `${link.queue.value} packets (${trimmed(forms.bytes / 1e6)} MB, ${formatDuration(forms.ms)})`
    : `${trimmed(forms.bytes / 1e3)} kB (${Math.round(forms.packets)} full packets, ${formatDuration(forms.ms)})`;
  return `${formatRate(link.rateBps)}, FIFO ${limit}, ${link.lossRatio === 0 ? 'no random loss' : `random loss ${formatRatio(link.lossRatio)}`}`;
}
