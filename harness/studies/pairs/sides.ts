/**
 * Names of the sides of a pair in the record of a trial. The application "first" is the first service of the cell,
 * "second" the other.
 */
export const sideNames = ['first', 'second'] as const;
