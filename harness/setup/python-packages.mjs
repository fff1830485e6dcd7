/** The step of set-up that brings the Python packages of `npm run verify`. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipInstall } from './pip.mjs';
import { findProgram } from './programs.mjs';

/** `from`: what steps are made with (setup.mjs). */
export function pythonSteps({ root, run, timed, say, hash, installSystemPackages, SetupError }) {
  /**
   * What `npm run verify` computes with (harness/analysis/verify/recompute.ts starts it): numpy and scipy, as wheels with the
   * hashes of the lock file, in the project's cache and nowhere else. A Python that is too old is passed over for
   * another one of the PATH.
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
    /** Program and version of the first that can have the wheels; `pip`: whether it can install them. */
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

  /** The same for tests, which go on without it and say what they skip. */
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
