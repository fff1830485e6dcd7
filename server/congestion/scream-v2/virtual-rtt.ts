/**
 * Virtual round trip: all flows with shorter round trips grow at the same pace, so that short paths have no advantage
 * (VIRTUAL_RTT in draft-johansson-ccwg-rfc8298bis-screamv2), ms.
 */
export const virtualRttMs = 25;
