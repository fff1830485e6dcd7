/** Values in the words of a message. */

/** A value of somebody else's file may be as long as the file. */
const mostCharacters = 60;

/** As JSON, as far as a line has room for it. */
export function shownValue(value: unknown): string {
  const shown = JSON.stringify(value) ?? 'nothing';
  return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters - 3)}...` : shown;
}
