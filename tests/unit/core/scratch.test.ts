import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { within } from '../../../core/deadline.ts';
import { orphanedLeases } from '../../../core/lease.ts';
import { projectRoot } from '../../../core/paths.ts';
import { temporaryFolder } from '../harness/support/folder.ts';

const skip = process.geteuid?.() === 0 ? false : 'only root has leases';

const program = (body: string) =>
  `import { withScratch } from '${projectRoot}core/scratch.ts'; await withScratch(async folder => {${body}});`;

function start(state: string, body: string) {
  return spawn(process.execPath, [...process.execArgv, '--input-type=module', '-e', program(body)], {
    env: { ...process.env, COEXIST_STATE_DIR: state },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

test('the folder is gone when its use ends, also by an error', { skip }, async () => {
  const state = temporaryFolder();
  for (const body of ['', 'throw new Error()']) {
    const child = start(state, `process.stdout.write(folder); ${body}`);
    const said = once(child.stdout, 'data');
    const [status] = (await within(once(child, 'exit'), 20_000, 'the program to end')) as [number];
    assert.equal(status, body === '' ? 0 : 1);
    assert.ok(String((await said)[0]).startsWith(`${state}/`));
    assert.deepEqual(readdirSync(state), []);
  }
});

test('a killed command leaves a lease, by which the next start finds the folder', { skip }, async () => {
  const state = temporaryFolder();
  const child = start(state, 'process.stdout.write(folder); await new Promise(r => setTimeout(r, 30_000))');
  const [said] = (await within(once(child.stdout, 'data'), 20_000, 'the folder')) as [Buffer];
  const folder = String(said);
  writeFileSync(join(folder, 'file'), 'x');
  assert.deepEqual(orphanedLeases(state), []);
  child.kill('SIGKILL');
  await within(once(child, 'exit'), 20_000, 'the program to end');
  assert.ok(existsSync(join(folder, 'file')));
  assert.deepEqual(
    orphanedLeases(state).map(({ record }) => record.scratch),
    [folder],
  );
});
