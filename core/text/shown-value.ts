/** Values in the words of a message. */

/** Of a value of somebody else's file, which may be as long as the file. A SHA-256 has room. */
const mostCharacters = 80;

/** As JSON, as far as a line has room for it; what cannot be written as JSON, by its kind. */
export function shownValue(value: unknown): string {
  let shown: string;
  try {
    shown = JSON.stringify(value) ?? 'nothing';
  } catch {
    // a BigInt, a value that holds itself, or more brackets than V8 writes: it reads any number of them
    shown = `${Object.prototype.toString.call(value)} that JSON cannot write`;
  }
  return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters - 3)}...` : shown;
}
