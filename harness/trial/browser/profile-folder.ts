/**
 * The profile folder that Playwright creates in the machine's /tmp before it starts a browser. Playwright removes it
 * when the browser closes, but not if Playwright is killed. So the program that becomes the browser removes it. A
 * confined browser has its own /tmp; another browser gets a folder in the run's scratch folder.
 */
import { quoteWord } from '../../../core/text/shell.ts';

/** Lines of a shell program that gets the browser's switches; they remove Playwright's folder. */
export const withoutPlaywrightsFolder = `for word in "$@"; do
  case "$word" in --user-data-dir=*) rmdir -- "\${word#*=}" 2>/dev/null;; esac
done
`;

/** Switch for a browser that sees the machine's files. Chromium uses the last switch of this name. */
export const profileIn = (directory: string): string => quoteWord(`--user-data-dir=${directory}/profile`);
