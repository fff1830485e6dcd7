/**
 * A display that nobody sees (Xvfb(1)). X gives every program on a display all keys that are typed there, and lets it
 * type into every window. So a page of the Internet is never shown on a person's display: its browser has a display of
 * its own inside its sandbox, where Xvfb has no more rights than the browser.
 */
import { realpathSync } from 'node:fs';
import { CoexistError } from '../../../core/errors.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import { findProgram } from '../../setup/programs.mjs';

/** Of the screen, pixels and bits. */
const screen = '1920x1080x24';

/** Words of Xvfb, which writes its number and a line end to this descriptor when it can be used. */
export const virtualDisplayWords = (descriptor: number): string[] => [
  '-displayfd',
  String(descriptor),
  '-screen',
  '0',
  screen,
  '-nolisten',
  'tcp',
];

/** Path of Xvfb. Throws `no-display` with the mend. */
export function findVirtualDisplay(): string {
  const found = findProgram('Xvfb');
  if (found !== undefined) return realpathSync(found);
  throw new CoexistError(
    'no-display',
    '--headed shows a page of the Internet on a display of its own, and Xvfb is not installed',
    { hint: 'apt-get install xvfb, or leave out --headed' },
  );
}

/**
 * The text of a shell program that starts Xvfb and becomes, on that display, the program that its words name. Xvfb keeps
 * neither the DevTools pipe nor a socket outside of the sandbox's own /tmp ("local": one of the host's network
 * namespace), and ends with the sandbox.
 */
export function onVirtualDisplay(xvfb: string): string {
  const words = [xvfb, ...virtualDisplayWords(5), '-nolisten', 'local'].map(quoteWord).join(' ');
  return [
    'mkfifo /tmp/display',
    `${words} 5>/tmp/display 3>&- 4>&- >/dev/null 2>&1 &`,
    "read -r number </tmp/display || { echo 'Xvfb, its display, did not start' >&2; exit 1; }",
    'rm /tmp/display',
    'DISPLAY=":$number" exec "$0" "$@"',
  ].join('\n');
}
