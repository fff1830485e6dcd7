/** Kinds of packets that the media sender sends. A packet table stores the index of the kind in this list. */
export const packetKinds = ['media', 'retransmission', 'padding', 'protection', 'voice'] as const;

export type PacketKind = (typeof packetKinds)[number];

/** Index of each kind in `packetKinds`. */
export const kindPlace = Object.fromEntries(packetKinds.map((kind, place) => [kind, place])) as Record<
  PacketKind,
  number
>;
