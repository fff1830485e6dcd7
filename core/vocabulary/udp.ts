/** What several parts need to know of UDP. */

/** Its number in the header of IP. */
export const udpProtocol = 17;

/** What UDP and IPv4 without options add to a payload, bytes. */
export const udpHeadersBytes = 28;
