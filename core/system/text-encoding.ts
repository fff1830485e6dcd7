/**
 * Decodes text files of any operating system. Editors and shells of Windows start a file with a byte order mark (RFC
 * 3629 section 6) or write UTF-16. The mark selects the encoding and is removed. Invalid bytes are an error: replacing
 * them by U+FFFD would silently change names.
 */
import { CoexistError } from '../errors.ts';

const mark = '\ufeff';

/** Removes a byte order mark from a text that was decoded by other code. */
export const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text);

/**
 * Returns the bytes as text. Throws `bad-run-folder`, with the path of the file and the number of the first wrong line,
 * if the bytes are not valid UTF-8 or UTF-16.
 */
export function decodeText(bytes: Uint8Array, path: string): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CoexistError('bad-run-folder', `${path}${wrongLine(bytes, encoding)} is not text in UTF-8`, {
      hint: 'save it in UTF-8',
      cause: error,
    });
  }
}

/** Returns the number of the first line that cannot be decoded, for a message: ", line 3". */
function wrongLine(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'utf-8') return '';
  const decoded = new TextDecoder().decode(bytes);
  const at = decoded.indexOf('\ufffd');
  return at < 0 ? '' : `, line ${decoded.slice(0, at).split('\n').length}`;
}
