/**
 * What `npm run new` writes passes its own test, the contract tests of its kind and the type check, in a copy of the
 * repository.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { kindNames, skeletonFiles } from '../../harness/cli/skeletons/skeleton.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { type CommandEnd, CommandServer } from '../unit/support/commands.ts';
import { sharedStart } from '../unit/support/shared-start.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = join(temporaryFolder(), 'coexist');

/** What is built is left out. */
const isSource = (path: string) =>
  !relative(root, path)
    .split('/')
    .some(word => word === 'build' || word === 'target');
for (const part of [
  'core',
  'harness',
  'server',
  'client',
  'shaper',
  'reports',
  'tests',
  'biome.json',
  'package.json',
  'tsconfig.json',
])
  cpSync(join(root, part), join(copy, part), { recursive: true, filter: isSource });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/**
 * What runs in the copy as in a shell of its own: a test runner inside a test runner would otherwise report to the
 * outer one.
 */
function inCopy(...words: string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    cwd: copy,
    env,
    encoding: 'utf8',
    timeout: 240_000,
  });
}

const contracts: Record<string, string> = {
  controller: 'controllers',
  service: 'services',
  aqm: 'aqms',
  metric: 'metrics',
  section: 'sections',
};
/** What else every plug-in of a kind has to pass, and what a test of it is called, so that it is seen to have run. */
const shared: Record<string, { file: string; says: string }> = {
  controller: { file: 'tests/sim/drucker.test.ts', says: 'the 24 links are used' },
};
const id = 'made-anew';

test('there is a contract for every kind', () => {
  assert.deepEqual(Object.keys(contracts).sort(), kindNames());
});

/** Each with an id of its own, so that no two have files in common. */
const idOf = (kind: string) => `${id}-${kind}`;
const pathsOf = (kind: string, own = idOf(kind)) => Object.keys(skeletonFiles(kind, own));
const folderOf = (kind: string) => dirname(pathsOf(kind).find(path => path.endsWith('/index.ts'))!);
const longId = (kind: string) => `${idOf(kind)}-with-a-name-that-is-too-long-for-many-lines`;
const sources = kindNames()
  .flatMap(kind => [...pathsOf(kind), ...pathsOf(kind, longId(kind))])
  .filter(path => path.endsWith('.ts'));

let cli: CommandServer;
let written: Record<string, CommandEnd>;
/** One run of the tests of all skeletons. */
let tests: { status: number | null; stdout: string };
sharedStart(
  async () => {
    cli = new CommandServer({}, copy);
    written = {};
    for (const kind of kindNames()) {
      written[kind] = await cli.ask(['new', kind, idOf(kind)]);
      assert.equal((await cli.ask(['new', kind, longId(kind)])).status, 0);
    }
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

test('all skeletons together have sound types and keep to the architecture', () => {
  // they and what they import: the rest has been checked without them, and imports none of them
  const project = { extends: './tsconfig.json', include: [], files: sources };
  writeFileSync(join(copy, 'skeletons.json'), JSON.stringify(project));
  const types = spawnSync(join(copy, 'node_modules/.bin/tsc'), ['-p', 'skeletons.json'], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 240_000,
  });
  assert.equal(types.status, 0, types.stdout);
  const architecture = inCopy('--test', '--test-reporter=tap', 'tests/unit/architecture.test.ts');
  assert.equal(architecture.status, 0, architecture.stdout.slice(-5000));
});

test('a controller that ignores the link is told what it does and what is allowed', async () => {
  const greedy = `${id}-greedy`;
  assert.equal((await cli.ask(['new', 'controller', greedy])).status, 0);
  const file = join(copy, `server/congestion/${greedy}/params.ts`);
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace('max: 0.5', 'max: 1')
      .replace('.default(0.05)', '.default(1)')
      .replace('.default(100)', '.default(5000)'),
  );
  const { status, stdout } = inCopy(
    '--test',
    '--test-reporter=tap',
    `--test-name-pattern=^${greedy}: (where half of all packets is lost|${shared.controller!.says})`,
    'tests/contract/controllers.test.ts',
    shared.controller!.file,
  );
  assert.equal(status, 1);
  assert.match(
    stdout,
    /sends \d+ bit\/s at 50 % loss; less than 150000 bit\/s \(3 times the minimum\) is required, or declare ignores: \['loss'\]/,
  );
  assert.match(
    stdout,
    /500 kbit\/s, deep buffer of 20 kB: losses [\d.]+ %; at most 2 % is allowed on this link \(10 % for a controller that declares ignores: \['loss'\]\)/,
  );
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
