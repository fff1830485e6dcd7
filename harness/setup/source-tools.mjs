/**
 * Common code of `npm run format` and `npm run lint`. It runs programs on the sources with the rights of the sources'
 * owner.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actingFor, leftByRoot, personOf, startFor } from './person.mjs';
import { pipInstall } from './pip.mjs';
import { developmentSteps, SetupError, setUp } from './setup.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a program with output to the terminal. Returns true if its exit status is 0. */
export function run(argv, { cwd = root, env = {} } = {}) {
  const { status, error } = startFor(spawnSync, argv, { env: { ...process.env, ...env }, cwd, stdio: 'inherit' });
  if (error !== undefined) process.stderr.write(`${argv[0]} cannot be run: ${error.message}\n`);
  return status === 0;
}

/** Returns the files of the repository that match git's patterns. */
export function files(...patterns) {
  const { stdout } = startFor(spawnSync, ['git', 'ls-files', '-z', ...patterns], { cwd: root, encoding: 'utf8' });
  return (stdout ?? '').split('\0').filter(file => file !== '' && existsSync(join(root, file)));
}

/**
 * Prints that this machine cannot format or check `what`, with the reason and the remedy. Returns true, because this is
 * no failure. `done`: "checked" or "formatted".
 */
export function skip(done, what, why, mend) {
  process.stdout.write(`not ${done}: ${what}: ${why}\n  -> ${mend}\n`);
  return true;
}

/**
 * Runs `work`, or with --install installs the Python packages of `requirements-NAME.txt` in the folder `packages`.
 * Returns true if everything succeeded. Prints an error and returns false for words other than `options`. `writes`:
 * true if `work` writes to the cache.
 */
export async function runTools(name, { options, packages, writes, work }) {
  const unknown = process.argv.slice(2).find(word => !options.includes(word));
  if (unknown !== undefined) {
    process.stderr.write(`${name} knows no ${unknown}\n  -> npm run ${name} [-- ${options.join(' | ')}]\n`);
    return false;
  }
  const installs = process.argv.includes('--install');
  const person = personOf(root);
  const left = installs || writes ? leftByRoot(person, [join(root, '.cache')], [packages]) : undefined;
  if (left !== undefined) {
    process.stderr.write(`${left}\n`);
    return false;
  }
  if (!installs && !(await bringDevelopmentPackages())) return false;
  const lock = join(root, `harness/setup/requirements-${name}.txt`);
  const install = () => run(pipInstall('python3', lock, packages, ['--upgrade']));
  const found = await actingFor(person, () => (installs ? [install()] : work()));
  return found.every(Boolean);
}

/** Installs the npm packages for development if they are missing. Returns false and prints the reason if this fails. */
export async function bringDevelopmentPackages() {
  try {
    await setUp(developmentSteps);
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return false;
  }
}
