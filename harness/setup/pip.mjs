/**
 * Command line that installs the packages of a lock file in a folder: wheels only, checked by the hashes of the file.
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
