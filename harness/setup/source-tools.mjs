/** What `npm run format` and `npm run lint` share: programs that read the sources, with the rights of who owns them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actingFor, leftByRoot, personOf, startFor } from './person.mjs';
import { pipInstall } from './pip.mjs';
import { developmentSteps, SetupError, setUp } from './setup.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** True where the program ended with status 0; its output goes to the terminal. */
export function run(argv, { cwd = root, env = {} } = {}) {
  const { status, error } = startFor(spawnSync, argv, { env: { ...process.env, ...env }, cwd, stdio: 'inherit' });
  if (error !== undefined) process.stderr.write(`${argv[0]} cannot be run: ${error.message}\n`);
  return status === 0;
}

/** Files of the repository by git's patterns. */
export function files(...patterns) {
  const { stdout } = startFor(spawnSync, ['git', 'ls-files', '-z', ...patterns], { cwd: root, encoding: 'utf8' });
  return (stdout ?? '').split('\0').filter(file => file !== '' && existsSync(join(root, file)));
}

/** One line for what this machine cannot do; that is no failure. `done`: what it is not, "checked". */
export function skip(done, what, why, mend) {
  process.stdout.write(`not ${done}: ${what}: ${why}\n  -> ${mend}\n`);
  return true;
}

/**
 * Does `work`, or with --install brings the Python packages of `requirements-NAME.txt` into `packages`. Answers whether
 * all was well. Refuses words other than `options`. `writes`: whether the work itself writes to the cache.
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

/** Brings the development packages where they are missing, with the rights of who owns them. False where it cannot. */
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
