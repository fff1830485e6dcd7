/** Kinds of services: what each is, as everything that treats services by their kind needs it. */

type KindFacts = {
  /** Its user watches video. */
  showsVideo?: true;
  /** It moves data, with nothing for a person to see: it is in use as soon as it begins. */
  isTransfer?: true;
  /** It loads pages. */
  loadsPages?: true;
  /** The stalls of its video get causes. */
  hasStallCauses?: true;
  /** By which quantities a pairwise report tells how its user fares, in this order. */
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

/** Of a kind that was read from a record; one that is not known has nothing. */
export function kindFacts(kind: string): KindFacts {
  return Object.hasOwn(serviceKinds, kind) ? serviceKinds[kind as ServiceKind] : { quality: [] };
}
