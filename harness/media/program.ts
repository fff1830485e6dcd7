/** Runs the main function of a program in this folder. The exit status is 0, or an error line is printed. */
import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';

/**
 * Runs `main` with the arguments of the command line. `usage`: name of the program and its arguments, all of which are
 * required.
 */
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
