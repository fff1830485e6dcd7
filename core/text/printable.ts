/** Text for a terminal. */

/**
 * Text without what would steer a terminal: control characters but line feeds and tabs become "?". A study, a database
 * or another machine may hold words of strangers, and an escape sequence can rewrite the screen or fill the clipboard.
 */
export const printable = (text: string): string => text.replace(/[\p{Cc}--[\n\t]]/gv, '?');

/** A fault of ours, with everything that helps to mend it. */
export const faultText = (error: unknown): string =>
  printable(`unexpected error: ${String(error instanceof Error ? error.stack : error)}\n`);
