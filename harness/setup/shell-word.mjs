/**
 * Quotes words for a shell, for code that runs before TypeScript can (core/text/shell.ts does the same for the
 * product).
 */

export const quoteWord = word => `'${word.replaceAll("'", "'\\''")}'`;

/** A word as users have to type it, with quotes only if it has a special character. */
export const shownWord = word => (/^[\w.,:/=@%+-]+$/.test(word) ? word : quoteWord(word));
