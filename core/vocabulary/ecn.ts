/** The ECN field of the IP header: the last two bits of the type of service (RFC 3168, section 5; RFC 9331). */

/** Names of the field's values. The index of a name is the value of the two bits. */
export const ecnFields = ['not-ect', 'ect1', 'ect0', 'ce'] as const;
export type EcnField = (typeof ecnFields)[number];

/** Number of packets with each value of the field. */
export type EcnCounts = Record<EcnField, number>;

export const noPackets = (): EcnCounts => ({ 'not-ect': 0, ect1: 0, ect0: 0, ce: 0 });

/** Returns the ECN field and the DSCP (RFC 2474) of a type of service. */
export const ecnOf = (service: number): EcnField => ecnFields[service & 3]!;
export const dscpOf = (service: number): number => service >> 2;

/** Queue of DualPI2 that takes a packet: ECT(1) and CE go to the L4S queue (RFC 9332, section 2.3). */
export type TrafficClass = 'l4s' | 'classic';
export const classOf = (ecn: EcnField): TrafficClass => (ecn === 'ect1' || ecn === 'ce' ? 'l4s' : 'classic');
