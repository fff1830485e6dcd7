/** Quotes words of a shell command line. */

/** Returns a word as a person would type it in a shell: it is quoted only if it contains a special character. */
export const shownWord = (word: string): string => (/^[\w.,:/=@%+-]+$/.test(word) ? word : quoteWord(word));

/** Quotes a word so that a POSIX shell reads it back unchanged (POSIX.1-2017, XCU 2.2.2). */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
