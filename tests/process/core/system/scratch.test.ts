import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { within } from '../../../../core/system/deadline.ts';
import { projectRoot } from '../../../../core/system/paths.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const program = (body: string) =>
  `import { withScratch } from '${projectRoot}core/system/scratch.ts'; await withScratch(async folder => {${body}});`;

function start(place: string, body: string) {
  return spawn(process.execPath, ['--input-type=module', '-e', program(body)], {
    env: { ...process.env, TMPDIR: place },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function use(place: string, body: string): Promise<{ folder: string; status: number }> {
  const child = start(place, `process.stdout.write(folder); ${body}`);
  const said = once(child.stdout, 'data');
  const [status] = (await within(once(child, 'exit'), 20_000, 'the program to end')) as [number];
  return { folder: String((await said)[0]), status };
}

test('the folder is gone when its use ends, also by an error', async () => {
  const place = temporaryFolder();
  for (const [body, expected] of [
    ['', 0],
    ['throw new Error()', 1],
  ] as const) {
    const { folder, status } = await use(place, body);
    assert.equal(status, expected);
    assert.equal(dirname(folder), place);
    assert.deepEqual(readdirSync(place), []);
  }
});

test('the next use removes what a killed command left, and nothing else', async () => {
  const place = temporaryFolder();
  const hang = 'process.stdout.write(folder); await new Promise(r => setTimeout(r, 30_000))';
  const [killed, alive] = [start(place, hang), start(place, hang)];
  try {
    const said = [killed, alive].map(child => within(once(child.stdout, 'data'), 20_000, 'the folder'));
    const [left, used] = (await Promise.all(said)).map(([text]) => String(text)) as [string, string];
    writeFileSync(join(left, 'file'), 'x');
    // a folder of another PID namespace, whose processes are not visible here, and a folder without an owner
    const others = ['coexist-scratch-1-2-3-abcdef', 'coexist-scratch-mine'].map(name => join(place, name));
    for (const other of others) mkdirSync(other);
    killed.kill('SIGKILL');
    await within(once(killed, 'exit'), 20_000, 'the program to end');
    assert.ok(existsSync(join(left, 'file')));
    await use(place, '');
    assert.ok(!existsSync(left));
    for (const other of [used, ...others]) assert.ok(existsSync(other), other);
  } finally {
    killed.kill('SIGKILL');
    alive.kill('SIGKILL');
  }
});
