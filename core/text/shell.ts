/** Quotes words of a shell command line. */

/** Returns a word for people to type. It is quoted only if it contains a character with a meaning in a shell. */
export const shownWord = (word: string): string => (/^[\w.,:/=@%+-]+$/.test(word) ? word : quoteWord(word));

/** Quotes a word so that a POSIX shell reads it back unchanged (POSIX.1-2017, XCU 2.2.2). */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
