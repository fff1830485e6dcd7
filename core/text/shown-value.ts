/** Formats the values of a definition for messages. */

/**
 * Maximum length of a value in a message, characters. A value in another person's file may be as long as the file. A
 * SHA-256 fits.
 */
const mostCharacters = 80;

/** Returns the value as JSON, shortened to one line. A value that JSON cannot represent is shown as its kind. */
export function shownValue(value: unknown): string {
  let shown: string;
  try {
    shown = JSON.stringify(value) ?? 'nothing';
  } catch {
    // a BigInt, a cyclic value, or one that is nested too deeply for JSON.stringify (JSON.parse reads any depth)
    shown = `${Object.prototype.toString.call(value)} that JSON cannot write`;
  }
  return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters - 3)}...` : shown;
}
