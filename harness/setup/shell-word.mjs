/**
 * Quotes words for a shell. It is JavaScript for code that runs before TypeScript can run; other code uses
 * core/text/shell.ts.
 */

export const quoteWord = word => `'${word.replaceAll("'", "'\\''")}'`;

/** Returns a word as a person would type it in a shell: it is quoted only if it contains a special character. */
export const shownWord = word => (/^[\w.,:/=@%+-]+$/.test(word) ? word : quoteWord(word));
