/** Kinds of services, with facts about each kind that other code needs. */

type KindFacts = {
  /** True for a service that sends a stream of media over RTP, whose rate readers know as its bitrate. */
  isCall?: true;
  showsVideo?: true;
  /** True for a service that moves data and shows nothing to a person. It is in use as soon as it starts. */
  isTransfer?: true;
  loadsPages?: true;
  hasStallCauses?: true;
  /** Quantities that show how well the service serves its user, in the order of the pairwise report. */
  quality: readonly string[];
};

export const serviceKinds = {
  'video-call': {
    isCall: true,
    showsVideo: true,
    hasStallCauses: true,
    quality: ['resolution', 'frame-rate', 'freezes', 'stalled', 'late', 'throughput'],
  },
  /** Call without a picture. */
  'voice-call': { quality: ['voice-concealed', 'voice-interruption-rate', 'throughput'] },
  video: { showsVideo: true, quality: ['rung', 'stalled', 'throughput'] },
  transfer: { isTransfer: true, quality: [] },
  page: { loadsPages: true, quality: ['page-load', 'failed-loads', 'throughput'] },
  /** Service that only fills the link, as iperf3 does. */
  baseline: { isTransfer: true, quality: [] },
  /** Page of a public web site. */
  live: {
    showsVideo: true,
    loadsPages: true,
    quality: [
      'load-event',
      'failed-loads',
      'resolution',
      'stalled',
      'voice-concealed',
      'voice-interruption-rate',
      'throughput',
    ],
  },
} as const satisfies Record<string, KindFacts>;

export type ServiceKind = keyof typeof serviceKinds;

/**
 * Returns the facts about a kind. The kind may come from a record; an unknown kind has an empty `quality` and no other
 * facts.
 */
export function kindFacts(kind: string): KindFacts {
  return Object.hasOwn(serviceKinds, kind) ? serviceKinds[kind as ServiceKind] : { quality: [] };
}
