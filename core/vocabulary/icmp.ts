/** Constants of ICMP. */

/**
 * Number of ICMP in the field "protocol" of the IP header. Pings between the hosts of an application are measurements,
 * not traffic of the application.
 */
export const icmpProtocol = 1;
