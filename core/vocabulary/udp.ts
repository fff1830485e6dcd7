/** Constants of UDP. */

/** Number of UDP in the field "protocol" of the IP header. */
export const udpProtocol = 17;

/** Length of a UDP header and an IPv4 header without options together, bytes. */
export const udpHeadersBytes = 28;
