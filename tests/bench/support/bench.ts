/**
 * How every benchmark ends: 0 where all limits were kept, 3 where one was missed, and an error of ours as one line with
 * its own status. Cores stay awake meanwhile, as they do in a trial.
 */
import { keepCoresAwake } from '../../../core/awake-cores.ts';
import { CoexistError } from '../../../core/errors.ts';

/** `main` prints its figures and tells whether all limits were kept. */
export async function runBench(main: () => Promise<boolean>): Promise<void> {
  const cores = keepCoresAwake();
  try {
    process.exitCode = (await main()) ? 0 : 3;
  } catch (error) {
    if (!(error instanceof CoexistError)) throw error;
    process.stderr.write(`${error.line}\n`);
    process.exitCode = error.exitStatus;
  } finally {
    cores.release();
  }
}
