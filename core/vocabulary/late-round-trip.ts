/**
 * Longest round-trip time that suits a conversation, ms: the ITU's requirement (G.114) as cited by Philip et al.
 * (SIGCOMM 2024, table 2).
 */
export const lateRoundTripMs = 190;
