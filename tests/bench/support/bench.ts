/**
 * How every benchmark ends: 0 where all limits were kept, 3 where one was missed, and an error of ours as one line with
 * its own status. Cores stay awake meanwhile, as they do in a trial.
 */
import { readFileSync } from 'node:fs';
import { CoexistError } from '../../../core/errors.ts';
import { keepCoresAwake } from '../../../core/system/awake-cores.ts';
import { asksForHelp } from '../../../harness/cli/arguments.ts';

/**
 * Where `--help` was asked for, prints the comment at the head of the benchmark's file, which says what it measures and
 * how it is called. True where it did: nothing is to be measured then.
 */
export function gaveHelp(): boolean {
  const [, file, ...words] = process.argv;
  if (!asksForHelp(words)) return false;
  const comment = /^\/\*\*\n([^]*?)\n \*\//.exec(readFileSync(file!, 'utf8'))?.[1] ?? '';
  process.stdout.write(`${comment.replaceAll(/^ \* ?/gm, '')}\n`);
  return true;
}

/** `main` prints its figures and tells whether all limits were kept. */
export async function runBench(main: () => Promise<boolean>): Promise<void> {
  if (gaveHelp()) return;
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
