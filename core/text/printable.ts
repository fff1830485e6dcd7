/** Makes text safe for a terminal. */

/**
 * Replaces control characters other than line feed and tab by "?". A study, a database or another machine may hold the
 * text of strangers, and an escape sequence in it could rewrite the screen or fill the clipboard.
 */
export const printable = (text: string): string => text.replace(/[\p{Cc}--[\n\t]]/gv, '?');

/** Returns the text that is printed for a bug of the program, with the stack trace. */
export const faultText = (error: unknown): string =>
  printable(`unexpected error: ${String(error instanceof Error ? error.stack : error)}\n`);
