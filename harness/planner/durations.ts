/** How long parts of a study take. Measured, and for estimates only. */

/** A trial beside its window and its start-up: link, browser, teardown, ms. */
export const overheadMs = 2500;
/**
 * The same of a pair beside its warm-up, window and cool-down: two services with browsers and servers of their own, and
 * the log of minutes of packets to be read, ms.
 */
export const pairOverheadMs = 12_000;
/** A link to be proved, ms. */
export const preflightMs = 9000;
