import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { within } from '../../../../core/system/deadline.ts';
import { processIdOf } from '../../../../core/system/process-id.ts';
import { onInterruption } from '../../../../harness/cli/interruption.ts';
import { parentOf } from '../../../../harness/cli/parent.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const { ownProcessId, throughSudo } = (await import(
  new URL('../../../../harness/setup/sudo.mjs', import.meta.url).href
)) as {
  ownProcessId(): object;
  throughSudo(line: string[], environment: Record<string, string | undefined>): string[];
};

test('what set-up says of itself is the process that it is', () => {
  const { bootId: _, ...own } = processIdOf();
  assert.deepEqual(parentOf(JSON.stringify(ownProcessId())), own);
  for (const text of [undefined, '', '17', '{}', 'x']) assert.equal(parentOf(text), undefined);
});

test('a command is interrupted when the one that started it is killed, also by SIGKILL', async () => {
  const parent = spawn('sleep', ['60']);
  process.env['COEXIST_PARENT'] = JSON.stringify(processIdOf(parent.pid));
  const { signal } = onInterruption();
  delete process.env['COEXIST_PARENT'];
  const stopped = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
  await new Promise(resolve => setTimeout(resolve, 700));
  assert.ok(!signal.aborted, 'it lives');
  parent.kill('SIGKILL');
  await within(stopped, 30_000, 'the command to be interrupted');
  assert.equal((signal.reason as { code: string }).code, 'interrupted');
});

/** Runs a command through a stand-in for sudo that keeps only the variables that the caller names. */
function runThrough(
  line: string[],
  environment: Record<string, string | undefined>,
): { words: string[]; said: string } {
  const folder = temporaryFolder();
  const sudo = join(folder, 'sudo');
  writeFileSync(
    sudo,
    `#!/bin/sh
kept=
while [ "$1" != -- ]; do
  for name in $(echo "\${1#--preserve-env=}" | tr , ' '); do kept="$kept $name=$(printenv "$name")"; done
  shift
done
shift
exec env -i $kept "$@"
`,
  );
  chmodSync(sudo, 0o755);
  const [, ...words] = throughSudo(line, environment);
  return { words, said: spawnSync(sudo, words, { encoding: 'utf8', env: { ...process.env, ...environment } }).stdout };
}

test('sudo, which keeps no variables, lets through who started the command', () => {
  const { said } = runThrough(['/bin/sh', '-c', 'echo "$COEXIST_PARENT $COEXIST_KEEP_AWAKE $SECRET"'], {
    PATH: process.env['PATH'],
    COEXIST_PARENT: '{"pid": 1}',
    COEXIST_KEEP_AWAKE: '0',
    SECRET: 'x',
  });
  assert.equal(said, '{"pid": 1} 0 \n');
});

test("the database's password goes on, and is on no command line, which everybody sees", () => {
  const { words, said } = runThrough(['/bin/sh', '-c', 'echo "$PGPASSWORD"'], {
    PATH: process.env['PATH'],
    PGPASSWORD: 'hunter2',
  });
  assert.equal(said, 'hunter2\n');
  assert.ok(!words.join(' ').includes('hunter2'), words.join(' '));
  assert.ok(throughSudo(['true'], { PATH: '/bin' }).every(word => !word.startsWith('--preserve-env')));
});

test("the study finds Playwright's browsers of the user, not those in root's home", () => {
  const variable = (environment: Record<string, string>) =>
    throughSudo(['true'], environment).filter(word => word.startsWith('PLAYWRIGHT_BROWSERS_PATH='));
  assert.deepEqual(variable({}), [`PLAYWRIGHT_BROWSERS_PATH=${join(homedir(), '.cache/ms-playwright')}`]);
  assert.deepEqual(variable({ XDG_CACHE_HOME: '/cache' }), ['PLAYWRIGHT_BROWSERS_PATH=/cache/ms-playwright']);
  assert.deepEqual(variable({ PLAYWRIGHT_BROWSERS_PATH: '/browsers' }), ['PLAYWRIGHT_BROWSERS_PATH=/browsers']);
});
