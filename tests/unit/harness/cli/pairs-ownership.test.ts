/** Whose the folder of a pairwise study is under sudo. Its trials are for workers, and no key can sign them. */
import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../../../core/command.ts';
import { projectRoot } from '../../../../core/paths.ts';
import { temporaryFolder } from '../support/folder.ts';

const skip = process.getuid?.() === 0 ? false : 'needs root, to give files away';
const folder = temporaryFolder();
const key = join(folder, 'planner.pem');
writeFileSync(key, 'no key');
const [root, someone] = [0, 54_321];
const ownerOf = (path: string) => lstatSync(path).uid;

/** Begins studies, one after the other in one process; what each ends with. */
async function pairs(...studies: readonly (readonly string[])[]): Promise<unknown[]> {
  const file = join(folder, 'commands.json');
  const common = ['--services', 'iperf-cubic', '--queue', 'postgres://127.0.0.1:1/none'];
  writeFileSync(file, JSON.stringify(studies.map(words => ['pairs', [...common, ...words]])));
  const { status, stdout, stderr } = await run(
    [process.execPath, '--disable-warning=ExperimentalWarning', 'tests/unit/support/planned-commands.ts', file],
    {
      cwd: projectRoot,
      allowFailure: true,
      timeoutMs: 60_000,
      env: {
        ...process.env,
        CHROMIUM_PATH: '/bin/true',
        COEXIST_PLANNER_KEY: key,
        SUDO_UID: String(someone),
        SUDO_GID: String(someone),
      },
    },
  );
  assert.equal(status, 0, stderr);
  const said = [...stdout.matchAll(/^\{"status":.*\}$/gm)].map(([line]) => JSON.parse(line) as { status: unknown });
  return said.map(one => one.status);
}

const [othersOnce, othersForEver, newOnce, newForEver] = [
  'others, once',
  'others, for ever',
  'new, once',
  'new, for ever',
].map(name => join(folder, name)) as [string, string, string, string];
for (const path of [othersOnce, othersForEver]) {
  mkdirSync(join(path, 'cron.d'), { recursive: true });
  writeFileSync(join(path, 'cron.d', 'job'), '');
}
const said =
  skip === false
    ? await pairs(
        ['--out', othersOnce],
        ['--out', othersForEver, '--watch'],
        ['--out', newOnce],
        ['--out', newForEver, '--watch'],
      )
    : [];

test('a folder that a study does not begin in keeps its owner, whether it goes on for ever or not', { skip }, () => {
  for (const message of [said[0], said[1]]) assert.match(String(message), /is not empty/);
  for (const path of [othersOnce, othersForEver])
    for (const name of ['', 'cron.d', 'cron.d/job']) assert.equal(ownerOf(join(path, name)), root, join(path, name));
});

test('the folder of a study goes to whoever began it, however it ends', { skip }, () => {
  for (const message of [said[2], said[3]]) assert.match(String(message), /planner\.pem/);
  for (const path of [newOnce, join(newOnce, 'plan.json'), newForEver, join(newForEver, 'cycles/0001/plan.json')])
    assert.equal(ownerOf(path), someone, path);
});
