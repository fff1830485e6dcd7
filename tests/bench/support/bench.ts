/**
 * How every benchmark ends: 0 where all limits were kept, 3 where one was missed, and an error of ours as one line with
 * its own status. Cores stay awake meanwhile, as they do in a trial.
 */
import { readFileSync } from 'node:fs';
import { keepCoresAwake } from '../../../core/awake-cores.ts';
import { CoexistError } from '../../../core/errors.ts';

/** The comment at the head of the benchmark's file, which says what it measures and how it is called. */
function helpOf(file: string): string {
  const comment = /^\/\*\*\n([^]*?)\n \*\//.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  return `${comment.replaceAll(/^ \* ?/gm, '')}\n`;
}

/** `main` prints its figures and tells whether all limits were kept. With `--help` nothing is measured. */
export async function runBench(main: () => Promise<boolean>): Promise<void> {
  if (process.argv.slice(2).some(word => word === '--help' || word === '-h')) {
    process.stdout.write(helpOf(process.argv[1]!));
    return;
  }
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
