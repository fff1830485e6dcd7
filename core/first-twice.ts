/** Returns the first element whose key an earlier element has. Undefined if all keys differ. */
export const firstTwice = <T>(all: readonly T[], keyOf: (one: T) => string): T | undefined =>
  all.find((one, k) => all.findIndex(other => keyOf(other) === keyOf(one)) !== k);
