/** Words of a shell's command line. */

/** A word as POSIX shells read it back unchanged, whatever is in it (POSIX.1-2017, XCU 2.2.2). */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
