/**
 * Handles the profile folder that Playwright creates in the machine's /tmp before it starts a browser. Playwright does
 * not remove the folder if Playwright is killed. So the program that becomes the browser removes the folder at once. A
 * confined browser has a /tmp of its own; another browser gets a folder in the run's scratch folder.
 */
import { quoteWord } from '../../../core/text/shell.ts';

/** Lines of a shell program that has the browser's switches as arguments. They remove Playwright's folder. */
export const withoutPlaywrightsFolder = `for word in "$@"; do
  case "$word" in --user-data-dir=*) rmdir -- "\${word#*=}" 2>/dev/null;; esac
done
`;

/**
 * Returns the switch that sets the profile folder of a browser without sandbox. Chromium uses the last switch of this
 * name.
 */
export const profileIn = (directory: string): string => quoteWord(`--user-data-dir=${directory}/profile`);
