/** What a packet of the media's sender is. A packet table has the place in this list. */
export const packetKinds = ['media', 'retransmission', 'padding', 'protection'] as const;

export type PacketKind = (typeof packetKinds)[number];

/** The place of each kind in the list. */
export const kindPlace = Object.fromEntries(packetKinds.map((kind, place) => [kind, place])) as Record<
  PacketKind,
  number
>;
