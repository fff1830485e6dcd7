/**
 * Returns the command line that installs the packages of a lock file in the folder `target`. Only wheels are installed,
 * and only if they have the hashes in the lock file.
 */
export const pipInstall = (python, lock, target, options = []) => [
  python,
  '-m',
  'pip',
  'install',
  '--quiet',
  '--disable-pip-version-check',
  '--no-deps',
  '--only-binary',
  ':all:',
  '--require-hashes',
  ...options,
  '--target',
  target,
  '-r',
  lock,
];
