/** Ownership of the folder of a pairwise study under sudo. Its trials go to workers, and no key can sign them. */
import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandsWith } from '../../../support/commands.ts';
import { temporaryFolder } from '../../support/folder.ts';

const skip = process.getuid?.() === 0 ? false : 'needs root, to give files away';
const folder = temporaryFolder();
const key = join(folder, 'planner.pem');
writeFileSync(key, 'no key');
const [root, someone] = [0, 54_321];
const ownerOf = (path: string) => lstatSync(path).uid;

const command = commandsWith({
  CHROMIUM_PATH: '/bin/true',
  COEXIST_PLANNER_KEY: key,
  SUDO_UID: String(someone),
  SUDO_GID: String(someone),
});
const pairs = (...argv: string[]) =>
  command('pairs', '--services', 'iperf-cubic', '--queue', 'postgres://127.0.0.1:1/none', ...argv);

for (const [kind, ...more] of [['once'], ['for ever', '--watch']] as const)
  test(`a folder that a study ${kind} does not begin in keeps its owner`, { skip }, async () => {
    const path = join(folder, `other, ${kind}`);
    mkdirSync(join(path, 'cron.d'), { recursive: true });
    writeFileSync(join(path, 'cron.d', 'job'), '');
    const { status, stderr } = await pairs('--out', path, ...more);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /is not empty/);
    for (const name of ['', 'cron.d', 'cron.d/job']) assert.equal(ownerOf(join(path, name)), root, name);
  });

for (const [kind, plan, ...more] of [
  ['once', 'plan.json'],
  ['for ever', 'cycles/0001/plan.json', '--watch'],
] as const)
  test(`the folder of a study ${kind} goes to whoever began it, however it ends`, { skip }, async () => {
    const path = join(folder, `new, ${kind}`);
    const { status, stderr } = await pairs('--out', path, ...more);
    assert.notEqual(status, 0);
    assert.match(stderr, /planner\.pem/);
    for (const name of ['', plan]) assert.equal(ownerOf(join(path, name)), someone, name);
  });
