/** Text for a terminal. */

/**
 * Replaces control characters other than line feed and tab by "?". A study, a database or another machine may hold text
 * of strangers, and an escape sequence can rewrite the screen or fill the clipboard.
 */
export const printable = (text: string): string => text.replace(/[\p{Cc}--[\n\t]]/gv, '?');

/** Returns the text for a fault of the program, with its stack. */
export const faultText = (error: unknown): string =>
  printable(`unexpected error: ${String(error instanceof Error ? error.stack : error)}\n`);
