/**
 * The npm package: made, installed into an empty folder, and used there as its users do. Without a network: what set-up
 * would install is lent by the checkout.
 */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { projectRoot } from '../../core/system/paths.ts';
import { lendPackages, study } from '../process/support/package-user.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';

const folder = temporaryFolder();
const cache = join(folder, 'cache');
const env = {
  XDG_CACHE_HOME: cache,
  npm_config_cache: join(folder, 'npm'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  COEXIST_DIRECTORY: '',
};
const here = (argv: readonly string[]) =>
  run([...argv], { cwd: folder, env: { ...process.env, ...env }, allowFailure: true, timeoutMs: 240_000 });
const done = async (argv: readonly string[]) => {
  const { status, stdout, stderr } = await here(argv);
  assert.equal(status, 0, `${argv.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};

test('a study beside the installed package is checked and planned by npx coexist', { timeout: 600_000 }, async () => {
  const tarball = (await done([process.execPath, join(projectRoot, 'harness/setup/pack.mjs'), folder])).trim();
  writeFileSync(join(folder, 'package.json'), '{ "name": "mine", "private": true, "type": "module" }');
  await done(['npm', 'install', '--no-audit', '--no-fund', tarball]);
  assert.deepEqual(
    readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.')),
    ['coexist'],
    'it brings no other package',
  );
  writeFileSync(join(folder, 'my-study.ts'), study);

  // without npm nothing is installed, and that is said; the copy is made all the same
  const withoutNpm = await run([process.execPath, 'node_modules/.bin/coexist', 'experiment', '--list'], {
    cwd: folder,
    env: { ...env, HOME: folder, PATH: '/nonexistent' },
    allowFailure: true,
    timeoutMs: 60_000,
  });
  assert.equal(withoutNpm.status, 2);
  assert.match(withoutNpm.stderr, /set-up could not run "npm ci/);
  const homes = readdirSync(join(cache, 'coexist'));
  assert.equal(homes.length, 1);
  lendPackages(join(cache, 'coexist', homes[0]!));

  const plan = await done(['npx', '--no', 'coexist', 'experiment', 'my-study.ts', '--dry-run']);
  assert.match(plan, /A study of my own/);
  assert.match(plan, /10 Mbit\/s/);
  const { status, stderr } = await here(['npx', '--no', 'coexist', 'experiment', 'no-study.ts', '--dry-run']);
  assert.deepEqual([status, /there is no file no-study\.ts/.test(stderr)], [1, true], stderr);

  writeFileSync(join(folder, 'wrong.ts'), study.replace("rate: '10mbit'", 'rate: 10'));
  const compiler = [join(projectRoot, 'node_modules/.bin/tsc'), '--noEmit', '--strict', '--skipLibCheck'];
  const { stdout } = await here([
    ...compiler,
    ...['--module', 'nodenext', '--target', 'esnext', '--types', ''],
    ...['my-study.ts', 'wrong.ts'],
  ]);
  const [error, ...more] = stdout.split('\n').filter(line => /: error TS/.test(line));
  assert.match(error ?? '', /^wrong\.ts\(5,\d+\): error TS2322: Type 'number' is not assignable/, stdout);
  assert.deepEqual(more, [], 'the study itself has none');
});
