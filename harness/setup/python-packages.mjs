/** Steps of set-up that install the Python packages of `npm run verify`. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipInstall } from './pip.mjs';
import { findProgram } from './programs.mjs';

/** Returns the steps of set-up. The argument contains helper functions of setup.mjs. */
export function pythonSteps({ root, run, timed, say, hash, installSystemPackages, SetupError }) {
  /**
   * Step that installs numpy and scipy for `npm run verify` (started by harness/analysis/verify/recompute.ts). They are
   * wheels with the hashes of the lock file, and are installed only in the project's cache. If a Python is too old, the
   * next one on the PATH is used.
   */
  const pythonPackages = {
    lock: 'harness/analysis/verify/requirements.txt',
    folder: join(root, '.cache/verify'),
    folders: [join(root, '.cache/verify')],
    stamp: join(root, '.cache/verify/python.json'),
    candidates: () =>
      (process.env.COEXIST_PYTHON ?? '') === ''
        ? ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11']
        : [process.env.COEXIST_PYTHON],
    /**
     * Returns path and version of the first Python for which there are wheels. `pip`: true if it can install them.
     * Undefined if there is no such Python.
     */
    find() {
      for (const name of this.candidates()) {
        const program = name.includes('/') ? name : findProgram(name);
        if (program === undefined) continue;
        const asked =
          'import sys, importlib.util as u; print(sys.version_info.major, sys.version_info.minor, u.find_spec("pip") is not None)';
        const [, minor, pip] =
          /^3 (\d+) (True|False)/.exec(run([program, '-c', asked], { allowFailure: true }).stdout ?? '') ?? [];
        if (Number(minor) >= 11 && Number(minor) <= 14) return { program, version: `3.${minor}`, pip: pip === 'True' };
      }
      return undefined;
    },
    isDone() {
      try {
        const { program, version, lock } = JSON.parse(readFileSync(this.stamp, 'utf8'));
        const found = this.find();
        return (
          lock === hash(this.lock) &&
          found?.program === program &&
          found.version === version &&
          existsSync(join(this.folder, 'packages/scipy'))
        );
      } catch {
        return false;
      }
    },
    make() {
      if (
        this.find()?.pip !== true &&
        findProgram('apt-get') !== undefined &&
        (process.env.COEXIST_PYTHON ?? '') === ''
      )
        installSystemPackages(['python3', 'python3-pip']);
      const found = this.find();
      if (found?.pip !== true) {
        const has = found === undefined ? 'no Python from 3.11 to 3.14 was found' : `${found.program} has no pip`;
        throw new SetupError(
          `numpy and scipy need Python with pip: ${has} (looked for ${this.candidates().join(', ')})\n` +
            '  -> install python3 and python3-pip, or name another Python with COEXIST_PYTHON',
        );
      }
      timed(`bringing numpy and scipy for Python ${found.version} into .cache/verify (about 55 MB)`, () => {
        const [fresh, kept] = ['packages.partial', 'packages'].map(name => join(this.folder, name));
        for (const path of [fresh, this.stamp]) rmSync(path, { recursive: true, force: true });
        run(pipInstall(found.program, join(root, this.lock), fresh));
        rmSync(kept, { recursive: true, force: true });
        renameSync(fresh, kept);
        writeFileSync(
          this.stamp,
          JSON.stringify({ program: found.program, version: found.version, lock: hash(this.lock) }),
        );
      });
    },
  };

  /** The same step for tests. If it fails, set-up continues, and the tests print what they leave out. */
  const pythonPackagesForTests = {
    folders: pythonPackages.folders,
    isDone: () => pythonPackages.isDone(),
    make() {
      try {
        pythonPackages.make();
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        say(`what verify computes with could not be brought: ${error.message}`);
      }
    },
  };
  return { pythonPackages, pythonPackagesForTests };
}
