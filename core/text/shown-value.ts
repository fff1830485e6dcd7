/** Formats values for messages. */

/** Longest text of a value, characters. A value of another person's file may be as long as the file. A SHA-256 fits. */
const mostCharacters = 80;

/** Returns the value as JSON, cut to one line. A value that JSON cannot write is named by its kind. */
export function shownValue(value: unknown): string {
  let shown: string;
  try {
    shown = JSON.stringify(value) ?? 'nothing';
  } catch {
    // a BigInt, a cyclic value, or more nesting than JSON.stringify can write (JSON.parse reads any depth)
    shown = `${Object.prototype.toString.call(value)} that JSON cannot write`;
  }
  return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters - 3)}...` : shown;
}
