/** Excursions of the round trip: times in which it is far above that of the idle path. */

/** Round trip above that of the idle path that counts as an excursion, ms. */
export const excursionMs = 100;
