/** A program of this folder that does one thing: exit status 0, or a line that says why not. */
import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';

/** `usage`: name and arguments, all of which are needed. */
export async function runProgram(usage: string, main: (...words: string[]) => Promise<void>): Promise<void> {
  const words = process.argv.slice(2);
  if (words.length < usage.split(' ').length - 1) {
    process.stderr.write(`usage: ${usage}\n`);
    process.exit(exitStatus.usage);
  }
  await main(...words).catch((error: unknown) => {
    process.stderr.write(`${error instanceof CoexistError ? error.line : messageOf(error)}\n`);
    process.exit(error instanceof CoexistError ? error.exitStatus : exitStatus.machineCannot);
  });
}
