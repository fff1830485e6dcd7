/** npm packages that set-up installs for users and for developers, and the cases in which it repeats that. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';

type Step = { isDone(): boolean; make(): void };
const setup = new URL('../../../../harness/setup/', import.meta.url);
const { packageSteps, requireOwnPackages } = (await import(new URL('npm-packages.mjs', setup).href)) as {
  packageSteps(from: object): Record<'packages' | 'developmentPackages' | 'postgres', Step>;
  requireOwnPackages(folder: string): void;
};
const { commandSteps } = (await import(new URL('setup.mjs', setup).href)) as {
  commandSteps(command: string, argv: string[]): { isDone(): boolean }[];
};

/** A checkout whose npm installs "zod", and "typescript" unless it is left out. */
function checkout() {
  const root = temporaryFolder();
  const write = (file: string, text = '{}') => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write('package.json', JSON.stringify({ devDependencies: { typescript: '1' } }));
  write('package-lock.json', '1');
  for (const file of ['package.json', 'npm-shrinkwrap.json']) write(`harness/queue/postgres/${file}`);
  const calls: string[][] = [];
  let stamp: Record<string, unknown> = {};
  let isInterrupted = false;
  const run = (argv: string[], { cwd = root } = {}) => {
    if (!argv.includes('ci')) return { status: 0, stdout: 'v24' };
    calls.push(argv.slice(argv.indexOf('ci') + 1));
    const at = cwd === root ? 'node_modules' : '.cache/postgres/node_modules';
    rmSync(join(root, at), { recursive: true, force: true });
    write(`${at}/zod/package.json`);
    if (cwd === root) write(`${at}/node/bin/node`);
    write(`${at}/hls.js/dist/hls.mjs.map`);
    if (isInterrupted) throw new Error('interrupted');
    if (!argv.includes('--omit=dev')) write(`${at}/typescript/package.json`);
    write(`${at}/.package-lock.json`);
    return { status: 0, stdout: '' };
  };
  const steps = packageSteps({
    root,
    run,
    timed: (_what: string, action: () => void) => action(),
    say: () => {},
    readStamp: () => stamp,
    writeStamp: (change: object) => {
      stamp = { ...stamp, ...change };
    },
    lockHash: (text: string) => `hash of ${text}`,
    pinnedNode: join(root, 'node_modules/node/bin/node'),
    SetupError: Error,
  });
  const interrupt = (is: boolean) => {
    isInterrupted = is;
  };
  return { ...steps, root, write, calls, interrupt };
}

test('a user gets no development packages, and a developer later gets them', () => {
  const { packages, developmentPackages, calls } = checkout();
  assert.equal(packages.isDone(), false);
  packages.make();
  assert.ok(calls[0]!.includes('--omit=dev') && calls[0]!.includes('--ignore-scripts'));
  assert.deepEqual([packages.isDone(), developmentPackages.isDone()], [true, false]);
  developmentPackages.make();
  assert.ok(!calls[1]!.includes('--omit=dev'));
  assert.deepEqual([packages.isDone(), developmentPackages.isDone()], [true, true]);
});

test('a folder that has all packages stays as it is, and keeps them where the lock file changes', () => {
  const { packages, developmentPackages, calls, write } = checkout();
  developmentPackages.make();
  assert.equal(packages.isDone(), true);
  write('package-lock.json', '2');
  assert.equal(packages.isDone(), false);
  packages.make();
  assert.ok(!calls[1]!.includes('--omit=dev'));
  assert.equal(developmentPackages.isDone(), true);
});

test('an installation that was interrupted is done again', () => {
  const { packages, developmentPackages, interrupt, write } = checkout();
  packages.make();
  interrupt(true);
  assert.throws(() => developmentPackages.make(), /interrupted/);
  write('node_modules/.package-lock.json'); // even if npm has written this file before
  assert.deepEqual([packages.isDone(), developmentPackages.isDone()], [false, false]);
  interrupt(false);
  packages.make();
  assert.equal(packages.isDone(), true);
});

test('source maps of the players are removed', () => {
  const { packages, root } = checkout();
  packages.make();
  assert.equal(existsSync(join(root, 'node_modules/hls.js/dist')), true);
  assert.equal(existsSync(join(root, 'node_modules/hls.js/dist/hls.mjs.map')), false);
});

test('the PostgreSQL server has a folder and a stamp of its own', () => {
  const { packages, postgres, root, interrupt } = checkout();
  packages.make();
  interrupt(true);
  assert.throws(() => postgres.make(), /interrupted/);
  assert.deepEqual([packages.isDone(), postgres.isDone()], [true, false]);
  interrupt(false);
  postgres.make();
  assert.equal(postgres.isDone(), true);
  assert.equal(existsSync(join(root, '.cache/postgres/npm-shrinkwrap.json')), true);
});

test('only tests, benches and development have the packages of developers; --queue local has the server', () => {
  const [packages] = commandSteps('experiment', []);
  const [developmentPackages, postgres] = commandSteps('test', []);
  assert.notEqual(packages, developmentPackages);
  for (const command of ['experiment', 'demo', 'pairs', 'game', 'worker', 'report', 'setup', 'queue', 'clean'])
    assert.ok(!commandSteps(command, ['x']).some(step => [developmentPackages, postgres].includes(step)), command);
  for (const command of ['test', 'test:fuzz', 'test:long', 'test:kernels', 'bench:controllers', 'bench:trial'])
    assert.equal(commandSteps(command, [])[0], developmentPackages, command);
  for (const command of ['experiment', 'pairs', 'game', 'queue'])
    for (const words of [['--queue', 'local'], ['--queue=local']])
      assert.ok(commandSteps(command, ['x', ...words]).includes(postgres!), command);
  assert.ok(!commandSteps('experiment', ['--queue', 'postgres://local']).includes(postgres!));
  assert.ok(commandSteps('setup', ['development']).includes(postgres!));
  assert.ok(commandSteps('bench:queue', []).includes(postgres!));
});

test('packages are not installed through a link into the folder of another checkout', () => {
  const folder = temporaryFolder();
  const [own, link, missing] = ['own', 'link', 'missing'].map(name => join(folder, name)) as [string, string, string];
  mkdirSync(own);
  symlinkSync(own, link);
  assert.throws(() => requireOwnPackages(link), { message: /link is a link, and npm .*\n {2}-> remove the link/ });
  requireOwnPackages(own);
  requireOwnPackages(missing);
});
