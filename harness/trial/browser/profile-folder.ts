/**
 * The folder for a profile that Playwright makes in the machine's /tmp before it starts a browser. Playwright removes
 * it when the browser closes; if Playwright is killed, nobody would. So the program that becomes the browser removes it: a
 * confined browser has a /tmp of its own, and another one gets a folder in the run's scratch folder.
 */
import { quoteWord } from '../../../core/text/shell.ts';

/** Lines of a shell program that is given the browser's switches. */
export const withoutPlaywrightsFolder = `for word in "$@"; do
  case "$word" in --user-data-dir=*) rmdir -- "\${word#*=}" 2>/dev/null;; esac
done
`;

/** Switch for a browser that sees the machine's files; the last of its kind counts. */
export const profileIn = (directory: string): string => quoteWord(`--user-data-dir=${directory}/profile`);
