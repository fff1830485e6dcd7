/** What commands say beside their lines of progress. */
import { exitStatus } from '../../core/errors.ts';
import { printable } from '../../core/text/printable.ts';

/** Writes words among which may be a stranger's. Returns the exit status of a command that has no more to do. */
export function print(text: string, out: NodeJS.WritableStream = process.stdout): number {
  out.write(printable(text));
  return exitStatus.done;
}
