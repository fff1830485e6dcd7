/**
 * Recomputes the numbers of a run independently: the Python package `recompute` beside this file, with the numpy and
 * scipy that set-up has put into the cache. It shares no code with what made the summary, so that a fault in one is
 * detected by the other.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../../core/errors.ts';
import { type Output, run } from '../../../core/system/command.ts';
import { cacheFolder } from '../../../core/system/paths.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Where set-up puts the packages, and a word on which Python they are for. */
const setUpFolder = join(cacheFolder, 'verify');

/** A run of some hundred long trials is read in minutes. */
const longestMs = 3_600_000;

export const recomputeMend = 'bring it with "npm run setup -- verify"';

/** The Python that the packages are for; undefined where they are not there. */
export function pythonProgram(folder = setUpFolder): string | undefined {
  const stamp = join(folder, 'python.json');
  if (!existsSync(stamp) || !existsSync(join(folder, 'packages'))) return undefined;
  const { program } = JSON.parse(readFileSync(stamp, 'utf8')) as { program: string };
  return existsSync(program) ? program : undefined;
}

/** With the packages, and nothing of the user's own. */
export const pythonEnvironment = (folder = setUpFolder): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: `${join(folder, 'packages')}:${here}`,
  PYTHONIOENCODING: 'utf-8',
});

/**
 * Recomputes a run. Status: 0 all the same, 1 no run, 2 Python cannot, 4 something differs. Throws `missing-program`
 * where Python or its packages are not there.
 */
export function recompute(path: string, options: readonly string[] = [], folder = setUpFolder): Promise<Output> {
  const program = pythonProgram(folder);
  if (program === undefined)
    throw new CoexistError('missing-program', 'Python with numpy and scipy is not there', { hint: recomputeMend });
  // nothing of the user's own packages or of the folder that one stands in
  return run([program, '-B', '-s', '-P', '-m', 'recompute', path, ...options], {
    allowFailure: true,
    timeoutMs: longestMs,
    env: pythonEnvironment(folder),
  });
}
