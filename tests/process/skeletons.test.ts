/**
 * What `npm run new` writes passes its own test and the contract tests of its kind, in a copy of the repository. Its
 * types, and what a contract says of a controller that ignores the link: tests/long.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot as root } from '../../core/system/paths.ts';
import { kindNames } from '../../harness/cli/skeletons/skeleton.ts';
import { type CommandEnd, CommandServer } from '../unit/support/commands.ts';
import { sharedStart } from '../unit/support/shared-start.ts';
import {
  contracts,
  copy,
  folderOf,
  id,
  idOf,
  inCopy,
  pathsOf,
  shared,
  sources,
  writeAll,
} from './support/skeleton-copy.ts';

test('there is a contract for every kind', () => {
  assert.deepEqual(Object.keys(contracts).sort(), kindNames());
});

let cli: CommandServer;
let written: Record<string, CommandEnd>;
/** One run of the tests of all skeletons. */
let tests: { status: number | null; stdout: string };
sharedStart(
  async () => {
    cli = new CommandServer({}, copy);
    written = await writeAll(cli);
    tests = inCopy(
      '--test',
      '--test-isolation=none',
      '--test-reporter=tap',
      `--test-name-pattern=^${id}-(${kindNames().join('|')})(: |$)|^no two |^there |in its own place`,
      ...kindNames().flatMap(kind => [
        ...pathsOf(kind).filter(path => path.endsWith('.test.ts')),
        `tests/contract/${contracts[kind]}.test.ts`,
        ...(shared[kind] === undefined ? [] : [shared[kind].file]),
      ]),
    );
  },
  () => cli.stop(),
);

for (const kind of kindNames()) {
  const own = idOf(kind);

  test(`${kind}: its skeleton passes its own test, the contract and what else its kind has to`, () => {
    const { status, stdout, stderr } = written[kind]!;
    const [paths, folder] = [pathsOf(kind), folderOf(kind)];
    assert.equal(status, 0, stderr);
    assert.ok(
      folder.endsWith(`/${own}`) &&
        paths.includes(`${folder}/README.md`) &&
        paths.some(path => path.endsWith('.test.ts')),
    );
    assert.ok(paths.every(path => existsSync(join(copy, path)) && stdout.includes(path)));
    assert.equal(tests.status, 0, tests.stdout.slice(-5000));
    assert.ok(
      (tests.stdout.match(new RegExp(`^(?: {4})?ok \\d+ - ${own}`, 'gm')) ?? []).length > 4,
      tests.stdout.slice(-5000),
    );
    const others = shared[kind];
    if (others !== undefined) assert.ok(tests.stdout.includes(`${own}: ${others.says}`), tests.stdout.slice(-5000));
  });

  test(`${kind}: nothing is written over`, async () => {
    const { status, stderr } = await cli.ask(['new', kind, own]);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`${folderOf(kind)} exists already`));
  });
}

test('every skeleton is formatted, also with a long id', () => {
  const { status, stdout, stderr } = spawnSync(
    join(copy, 'node_modules/.bin/biome'),
    ['format', '--vcs-enabled=false', ...sources],
    { cwd: copy, encoding: 'utf8', timeout: 60_000 },
  );
  assert.equal(status, 0, `${stdout}${stderr}`);
  assert.match(`${stdout}${stderr}`, new RegExp(`Checked ${sources.length} files`));
});

test('what is to do next is the tests of the plug-in alone, and then what CONTRIBUTING.md says', async () => {
  const ownTests = { controller: 'sim', metric: 'unit' };
  const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, block] = /Before a commit:\n[^`]*```sh\n([^`]*)```/.exec(contributing)!;
  const commands = block!.trim().split('\n');
  assert.equal(commands[0], 'npm run format');
  for (const [kind, tests] of Object.entries(ownTests)) {
    const last = `${id}-last-${kind}`;
    const { stdout } = await cli.ask(['new', kind, last]);
    assert.deepEqual(
      [...stdout.matchAll(/"(npm [^"]*)"/g)].map(([, command]) => command),
      [`npm test -- types contract ${tests} --test-name-pattern=${last}`, ...commands],
    );
  }
});

test('a wrong kind or id is refused with what was meant', async () => {
  const errors: CommandEnd[] = [];
  for (const words of [['controler', 'x'], ['metric', 'My_Metric'], ['metric']])
    errors.push(await cli.ask(['new', ...words]));
  assert.deepEqual(
    errors.map(({ status }) => status),
    [1, 1, 1],
  );
  assert.match(errors[0]!.stderr, /did you mean "controller"/);
  assert.match(errors[1]!.stderr, /small letters/);
  assert.match(errors[2]!.stderr, /npm run new -- aqm\|controller/);
});
