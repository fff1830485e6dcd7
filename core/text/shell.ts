/** Words of a shell's command line. */

/** A word as people are to type it: in quotes only where a character of it means something to a shell. */
export const shownWord = (word: string): string => (/^[\w.,:/=@%+-]+$/.test(word) ? word : quoteWord(word));

/** A word as POSIX shells read it back unchanged, whatever is in it (POSIX.1-2017, XCU 2.2.2). */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
