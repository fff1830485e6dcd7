/**
 * A checkout in a folder that people have: with a space, "#", "%" and letters that are not Latin. One trial of each
 * service, by the tests of the services themselves, which are started there.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '../../core/command.ts';
import { cacheFolder, projectRoot } from '../../core/paths.ts';
import { cannotRun } from '../e2e/support/run-command.ts';
import { noFirewall } from './support/own-machine.ts';

// on the disk of the checkout, so that its packages and programs need no second copy
const checkout = join(cacheFolder, 'co ex #1 50% ü 日本');

/** What no commit holds. */
const built = ['node_modules', 'shaper/native/build', 'shaper/bbr3/build', 'harness/quic/target', '.cache/clips'];

async function copy(): Promise<void> {
  rmSync(checkout, { recursive: true, force: true });
  const { stdout } = await run([
    'git',
    '-C',
    projectRoot,
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
  ]);
  for (const file of stdout.split('\0').filter(name => name !== '' && existsSync(join(projectRoot, name)))) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    copyFileSync(join(projectRoot, file), join(checkout, file));
  }
  for (const folder of built.filter(name => existsSync(join(projectRoot, name)))) {
    mkdirSync(dirname(join(checkout, folder)), { recursive: true });
    await run(['cp', '--archive', '--link', join(projectRoot, folder), join(checkout, folder)], { timeoutMs: 300_000 });
  }
}

describe('a checkout in an odd folder', { skip: cannotRun }, () => {
  before(copy);
  after(() => rmSync(checkout, { recursive: true, force: true }));

  for (const [services, file, names, skip] of [
    ['live-clip, iperf, udp-flow', 'e2e/applications', 'each begins and ends at its time', undefined],
    ['download', 'long/services', 'a download with a cap', undefined],
    ['batch-download', 'long/services', 'a batch download', undefined],
    ['abr-video', 'long/services', 'adaptive video', undefined],
    ['web-page', 'long/services', 'a web page', undefined],
    ['chromium-call', 'long/chromium-call', 'moving frames', undefined],
    ['live-url', 'long/live-url', 'is used by a script', noFirewall],
  ] as const)
    test(services, { skip }, async () => {
      const { status, stdout, stderr } = await run(
        [process.execPath, '--test', '--test-concurrency=1', `--test-name-pattern=${names}`, `tests/${file}.test.ts`],
        { cwd: checkout, allowFailure: true, timeoutMs: 600_000 },
      );
      assert.equal(status, 0, `${stdout}${stderr}`);
      assert.match(stdout, /^ℹ pass [1-9]/m, stdout);
    });
});
