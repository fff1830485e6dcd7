import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { giveBack } from '../../../../harness/cli/ownership.ts';
import { temporaryFolder } from '../support/folder.ts';

const skip = process.getuid?.() === 0 ? false : 'needs root, to give files away';
const folder = temporaryFolder();
const ownerOf = (path: string) => [lstatSync(path).uid, lstatSync(path).gid];
const root = [0, process.getgid?.()];
const someone = [54_321, 54_322];

afterEach(() => {
  delete process.env['SUDO_UID'];
  delete process.env['SUDO_GID'];
});

function sudo(): void {
  process.env['SUDO_UID'] = String(someone[0]);
  process.env['SUDO_GID'] = String(someone[1]);
}

function tree(name: string): { path: string; outside: string; entries: string[] } {
  const path = join(folder, name);
  const outside = join(folder, `${name}-outside`);
  mkdirSync(join(path, 'trials', '0001-a'), { recursive: true });
  writeFileSync(join(path, 'trials', '0001-a', 'trial.json'), '{}');
  writeFileSync(outside, '');
  symlinkSync(outside, join(path, 'link'));
  symlinkSync(join(folder, 'nowhere'), join(path, 'dangling'));
  return {
    path,
    outside,
    entries: [
      path,
      ...['trials', 'trials/0001-a', 'trials/0001-a/trial.json', 'link', 'dangling'].map(entry => join(path, entry)),
    ],
  };
}

test('under sudo everything in the folder goes to the person who started it', { skip }, () => {
  const { path, entries } = tree('given');
  sudo();
  giveBack(path);
  for (const entry of entries) assert.deepEqual(ownerOf(entry), someone, entry);
});

test('what a link points to is not given away', { skip }, () => {
  const { path, outside } = tree('linked');
  sudo();
  giveBack(path);
  assert.deepEqual(ownerOf(outside), root);
});

test('without sudo, and where there is nothing, nothing is done', { skip }, () => {
  const { path, entries } = tree('kept');
  giveBack(path);
  process.env['SUDO_UID'] = 'root';
  process.env['SUDO_GID'] = '5';
  giveBack(path);
  for (const entry of entries) assert.deepEqual(ownerOf(entry), root, entry);
  sudo();
  giveBack(join(folder, 'nothing here'));
});
