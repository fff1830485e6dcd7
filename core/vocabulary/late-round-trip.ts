/**
 * A longer round trip is too late for a conversation, ms: the ITU's requirement (G.114) as Philip et al. give it
 * (SIGCOMM 2024, table 2).
 */
export const lateRoundTripMs = 190;
