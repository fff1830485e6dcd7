/** Values in the words of a message. */

/** A value of somebody else's file may be as long as the file. */
const mostCharacters = 60;

/** As JSON, as far as a line has room for it; what JSON does not have, such as a list that holds itself, by its kind. */
export function shownValue(value: unknown): string {
  let shown: string | undefined;
  try {
    shown = JSON.stringify(value) ?? 'nothing';
  } catch {
    shown = Object.prototype.toString.call(value);
  }
  return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters - 3)}...` : shown;
}
