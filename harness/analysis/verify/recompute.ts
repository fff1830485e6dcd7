/**
 * Recomputes the numbers of a run with the Python package `recompute` in this folder. The package needs the numpy and
 * scipy that set-up installs in the cache. The package and the summary share no code, so that each detects faults in
 * the other.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../../core/errors.ts';
import { type Output, run } from '../../../core/system/command.ts';
import { cacheFolder } from '../../../core/system/paths.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Folder in which set-up installs numpy and scipy, with a file that names the Python for which they were installed. */
const setUpFolder = join(cacheFolder, 'verify');

/** Time limit of the computation, ms. A run of some hundred long trials takes minutes. */
const longestMs = 3_600_000;

export const recomputeMend = 'bring it with "npm run setup -- verify"';

/** Returns the Python for which the packages were installed; undefined if the Python or the packages are missing. */
export function pythonProgram(folder = setUpFolder): string | undefined {
  const stamp = join(folder, 'python.json');
  if (!existsSync(stamp) || !existsSync(join(folder, 'packages'))) return undefined;
  const { program } = JSON.parse(readFileSync(stamp, 'utf8')) as { program: string };
  return existsSync(program) ? program : undefined;
}

/** Returns the environment in which Python finds the installed packages. */
export const pythonEnvironment = (folder = setUpFolder): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: `${join(folder, 'packages')}:${here}`,
  PYTHONIOENCODING: 'utf-8',
});

/**
 * Recomputes a run. Exit status of the result: 0 if the numbers are the same, 1 if the folder is no run, 2 if Python
 * fails, 4 if numbers differ. Throws `missing-program` if Python or its packages are missing.
 */
export function recompute(path: string, options: readonly string[] = [], folder = setUpFolder): Promise<Output> {
  const program = pythonProgram(folder);
  if (program === undefined)
    throw new CoexistError('missing-program', 'Python with numpy and scipy is not there', { hint: recomputeMend });
  // the options keep the user's packages and the current folder out of Python's path
  return run([program, '-B', '-s', '-P', '-m', 'recompute', path, ...options], {
    allowFailure: true,
    timeoutMs: longestMs,
    env: pythonEnvironment(folder),
  });
}
