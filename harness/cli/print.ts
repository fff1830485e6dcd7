/** Output of commands other than progress lines. */
import { exitStatus } from '../../core/errors.ts';
import { printable } from '../../core/text/printable.ts';

/** Prints text that may contain a stranger's words. Returns the exit status `done`. */
export function print(text: string, out: NodeJS.WritableStream = process.stdout): number {
  out.write(printable(text));
  return exitStatus.done;
}
