/** Values in the words of a message. */

/** A value of somebody else's file may be as long as the file. */
const mostCharacters = 60;

/** As JSON, as far as a line has room for it. */
export const shownValue = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, mostCharacters);
