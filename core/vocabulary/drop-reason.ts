/**
 * Reasons why the bottleneck dropped a packet: full queue, loss classifier, active queue management, anything else. The
 * queue log and the packet fates store the index of the reason in this list.
 */
export const dropReasons = ['overflow', 'random-loss', 'aqm', 'other'] as const;

export type DropReason = (typeof dropReasons)[number];
