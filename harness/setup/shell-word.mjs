/** Words of a shell's command line, for what runs before TypeScript can (core/text/shell.ts has the same for the product). */

export const quoteWord = word => `'${word.replaceAll("'", "'\\''")}'`;

/** As people are to type it: in quotes only where a character of it means something to a shell. */
export const shownWord = word => (/^[\w.,:/=@%+-]+$/.test(word) ? word : quoteWord(word));
