/** Prints the output of commands, except for progress lines. */
import { exitStatus } from '../../core/errors.ts';
import { printable } from '../../core/text/printable.ts';

/**
 * Prints text that may contain words from a stranger, with control characters replaced by question marks. Returns the
 * exit status `done`.
 */
export function print(text: string, out: NodeJS.WritableStream = process.stdout): number {
  out.write(printable(text));
  return exitStatus.done;
}
