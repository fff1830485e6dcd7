/**
 * Round trip below which flows are treated alike, so that short paths do not win (VIRTUAL_RTT in
 * draft-johansson-ccwg-rfc8298bis-screamv2), ms.
 */
export const virtualRttMs = 25;
