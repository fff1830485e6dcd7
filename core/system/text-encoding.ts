/**
 * The text of a file that somebody wrote, on whatever machine. Editors and shells of Windows begin a file with a byte
 * order mark (RFC 3629 section 6) or write UTF-16; the mark is taken away, and tells which of them it is. Other bytes
 * are refused: with U+FFFD in their place a name would be another one without a word.
 */
import { CoexistError } from '../errors.ts';

const mark = '\ufeff';

/** A byte order mark is left out. For text that was decoded elsewhere. */
export const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text);

/** Throws `bad-run-folder` that names the file, and the first line that is not UTF-8. */
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

/** ", line 3": where its bytes stop being text. */
function wrongLine(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'utf-8') return '';
  const decoded = new TextDecoder().decode(bytes);
  const at = decoded.indexOf('\ufffd');
  return at < 0 ? '' : `, line ${decoded.slice(0, at).split('\n').length}`;
}
