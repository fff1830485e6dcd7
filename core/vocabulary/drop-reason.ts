/**
 * Why a packet was dropped at the bottleneck: the queue was full; the loss classifier; active queue management; anything
 * else. The queue log and the fates of packets have the place in this list.
 */
export const dropReasons = ['overflow', 'random-loss', 'aqm', 'other'] as const;

export type DropReason = (typeof dropReasons)[number];
