/** `npm run new -- KIND ID`: writes a minimal plug-in with its folder, README and test. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { childEnvironment } from '../../core/system/child-environment.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { projectRoot } from '../../core/system/paths.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { unknownName } from '../../core/text/nearest.ts';
import { parseArguments } from './arguments.ts';
import { kindNames, skeletonFiles } from './skeletons/skeleton.ts';

const usage = `npm run new -- ${kindNames().join('|')} ID`;

const idForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

export async function command(argv: string[]): Promise<number> {
  const {
    positionals: [kind, id, ...rest],
  } = parseArguments(argv, {}, usage);
  if (kind === undefined || id === undefined || rest.length > 0)
    throw new CoexistError('usage', 'new needs a kind of plug-in and an id', { hint: usage });
  if (!kindNames().includes(kind))
    throw unknownName('usage', `there is no kind of plug-in named "${kind}"`, kind, kindNames());
  if (!idForm.test(id))
    throw new CoexistError('usage', `"${id}" is no id of a plug-in`, {
      hint: 'write small letters and digits, with single dashes between, as in my-control',
    });
  const files = skeletonFiles(kind, id);
  const folders = Object.keys(files)
    .filter(path => path.endsWith('/index.ts'))
    .map(dirname);
  const existing = [...folders, ...Object.keys(files)].find(path => existsSync(join(projectRoot, path)));
  if (existing !== undefined)
    throw new CoexistError('usage', `${existing} exists already`, { hint: 'choose another id' });
  for (const [path, content] of Object.entries(files)) {
    makeFolder(dirname(join(projectRoot, path)));
    writeWhole(join(projectRoot, path), content, { isFlushed: false });
    process.stdout.write(`written: ${path}\n`);
  }
  format(Object.keys(files));
  process.stdout.write(
    `next: change it; while you do, "${ownTests(id, Object.keys(files))}" runs its own tests alone. Before a commit ` +
      'run "npm run format", "npm run docs" and "npm test -- lint types unit sim contract", which takes about four minutes on two cores; ' +
      'CONTRIBUTING.md has the checklist\n',
  );
  return exitStatus.done;
}

/**
 * Returns the command that runs only the tests of the new plug-in. The kinds of plug-in have their tests in different
 * folders.
 */
function ownTests(id: string, paths: readonly string[]): string {
  const [, folder] = paths.find(path => path.startsWith('tests/'))!.split('/');
  return `npm test -- types contract ${folder} --test-name-pattern=${id}`;
}

/** Formats the new files, because their line breaks depend on the length of the id. */
function format(paths: readonly string[]): void {
  const { error, status, stderr } = spawnSync(
    join(projectRoot, 'node_modules/.bin/biome'),
    // git's ignore rules are off, because the project may not be a git repository
    ['format', '--write', '--vcs-enabled=false', ...paths.filter(path => path.endsWith('.ts'))],
    { cwd: projectRoot, encoding: 'utf8', timeout: 60_000, env: childEnvironment() },
  );
  if (status !== 0)
    process.stderr.write(`the new files are not formatted: ${error?.message ?? stderr.trim().split('\n')[0]}\n`);
}
