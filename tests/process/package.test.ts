/**
 * The npm package: made, unpacked, and its command used as its users do. What set-up would install is lent by the
 * checkout. Installed by npm: tests/long.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { projectRoot } from '../../core/system/paths.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { lendPackages, study } from './support/package-user.ts';

const folder = temporaryFolder();

test('a study beside the package is checked and planned by its command', { timeout: 600_000 }, async () => {
  const tarball = (
    await run([process.execPath, join(projectRoot, 'harness/setup/pack.mjs'), folder], { timeoutMs: 240_000 })
  ).stdout.trim();
  await run(['tar', '-xzf', tarball, '-C', folder]);
  const own = join(folder, 'package');
  const { dependencies, bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    dependencies?: object;
    bin: Record<string, string>;
  };
  assert.deepEqual([dependencies, Object.keys(bin)], [undefined, ['coexist']]);
  writeFileSync(join(folder, 'my-study.ts'), study);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(own, join(folder, 'node_modules/coexist'));

  const coexist = (env: NodeJS.ProcessEnv) =>
    run([process.execPath, join(own, bin['coexist']!), 'experiment', 'my-study.ts', '--dry-run'], {
      cwd: folder,
      env: { ...env, XDG_CACHE_HOME: join(folder, 'cache'), COEXIST_DIRECTORY: '' },
      allowFailure: true,
      timeoutMs: 240_000,
    });
  // without npm nothing is installed, and that is said; the copy is made all the same
  const withoutNpm = await coexist({ HOME: folder, PATH: '/nonexistent' });
  assert.equal(withoutNpm.status, 2);
  assert.match(withoutNpm.stderr, /set-up could not run "npm ci/);
  const homes = readdirSync(join(folder, 'cache/coexist'));
  assert.equal(homes.length, 1);
  lendPackages(join(folder, 'cache/coexist', homes[0]!));
  const { status, stdout, stderr } = await coexist(process.env);
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /A study of my own/);
  assert.match(stdout, /10 Mbit\/s/);
});
