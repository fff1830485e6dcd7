/** Returns the first element that has the same key as an earlier element. Undefined if all keys differ. */
export const firstTwice = <T>(all: readonly T[], keyOf: (one: T) => string): T | undefined =>
  all.find((one, k) => all.findIndex(other => keyOf(other) === keyOf(one)) !== k);
