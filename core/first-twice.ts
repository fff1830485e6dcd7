/** The first of which an earlier one has the same key; undefined where each has a key of its own. */
export const firstTwice = <T>(all: readonly T[], keyOf: (one: T) => string): T | undefined =>
  all.find((one, k) => all.findIndex(other => keyOf(other) === keyOf(one)) !== k);
