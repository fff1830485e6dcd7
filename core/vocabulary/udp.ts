/** Constants of UDP. */

/** Protocol number of UDP in the IP header. */
export const udpProtocol = 17;

/** Length of the headers of UDP and of IPv4 without options, bytes. */
export const udpHeadersBytes = 28;
