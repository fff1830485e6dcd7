/**
 * How every benchmark ends: 0 where all limits were kept, 3 where one was missed, and an error of ours as one line with
 * its own status.
 */
import { CoexistError } from '../../../core/errors.ts';

/** `main` prints its figures and tells whether all limits were kept. */
export async function runBench(main: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await main()) ? 0 : 3;
  } catch (error) {
    if (!(error instanceof CoexistError)) throw error;
    process.stderr.write(`${error.line}\n`);
    process.exitCode = error.exitStatus;
  }
}
