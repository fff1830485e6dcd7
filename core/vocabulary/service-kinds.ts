/** Kinds of services, with the facts on which other code depends. */

type KindFacts = {
  showsVideo?: true;
  /** It moves data and shows nothing to a person. It is in use as soon as it starts. */
  isTransfer?: true;
  loadsPages?: true;
  hasStallCauses?: true;
  /** Quantities that show in a pairwise report how well its user is served, in this order. */
  quality: readonly string[];
};

export const serviceKinds = {
  'video-call': {
    showsVideo: true,
    hasStallCauses: true,
    quality: ['resolution', 'frame-rate', 'freezes', 'stalled', 'late', 'throughput'],
  },
  video: { showsVideo: true, quality: ['rung', 'stalled', 'throughput'] },
  transfer: { isTransfer: true, quality: [] },
  page: { loadsPages: true, quality: ['page-load', 'failed-loads', 'throughput'] },
  /** Fills the link, as iperf3 does. */
  baseline: { isTransfer: true, quality: [] },
  /** A public page. */
  live: {
    showsVideo: true,
    loadsPages: true,
    quality: ['load-event', 'failed-loads', 'resolution', 'stalled', 'throughput'],
  },
} as const satisfies Record<string, KindFacts>;

export type ServiceKind = keyof typeof serviceKinds;

/**
 * Returns the facts of a kind that was read from a record. An unknown kind has an empty `quality` and no other facts.
 */
export function kindFacts(kind: string): KindFacts {
  return Object.hasOwn(serviceKinds, kind) ? serviceKinds[kind as ServiceKind] : { quality: [] };
}
