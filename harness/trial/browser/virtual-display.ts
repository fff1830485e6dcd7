/**
 * A display that no person sees (Xvfb(1)). On an X display, every program can read all typed keys and type into every
 * window. Therefore a page of the Internet is never shown on a person's display. Its browser gets a virtual display
 * inside the sandbox, where Xvfb has no more rights than the browser.
 */
import { realpathSync } from 'node:fs';
import { CoexistError } from '../../../core/errors.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import { findProgram } from '../../setup/programs.mjs';

/** Size of the screen, pixels, and colour depth, bits. */
const screen = '1920x1080x24';

/** Returns the arguments of Xvfb. Once Xvfb is ready, it writes its display number and a line end to `descriptor`. */
export const virtualDisplayWords = (descriptor: number): string[] => [
  '-displayfd',
  String(descriptor),
  '-screen',
  '0',
  screen,
  '-nolisten',
  'tcp',
];

/** Returns the path of Xvfb. Throws `no-display` with a remedy if Xvfb is missing. */
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
 * Returns a shell program that starts Xvfb and then becomes the program that its arguments name, on that display. Xvfb
 * gets neither the DevTools pipe nor a socket outside of the sandbox's /tmp ("-nolisten local": no socket in the host's
 * network namespace). Xvfb ends with the sandbox.
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
