import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { makeFolder } from '../../../../core/system/folders.ts';
import { giveBack, giveMade } from '../../../../core/system/ownership.ts';
import { PlannerKey } from '../../../../harness/queue/planner-key.ts';
import { RunFolder } from '../../../../harness/record/run-folder.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { planOf } from '../../../unit/harness/support/plan.ts';
import { createFolder, fileOf } from '../../../unit/harness/support/run-folder.ts';

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
    entries: [path, ...['trials', 'trials/0001-a', 'trials/0001-a/trial.json'].map(entry => join(path, entry))],
  };
}

test('under sudo everything in the folder goes to the person who started it', { skip }, () => {
  const { path, entries } = tree('given');
  sudo();
  giveBack(path);
  for (const entry of entries) assert.deepEqual(ownerOf(entry), someone, entry);
});

test('neither a link nor what it points to is given away', { skip }, () => {
  const { path, outside } = tree('linked');
  sudo();
  giveBack(path);
  for (const entry of [outside, join(path, 'link'), join(path, 'dangling')])
    assert.deepEqual(ownerOf(entry), root, entry);
});

test('nor a file that has a second name elsewhere', { skip }, () => {
  const { path, outside } = tree('named-twice');
  linkSync(outside, join(path, 'second-name'));
  sudo();
  giveBack(path);
  assert.deepEqual(ownerOf(outside), root);
});

test('a folder that is exchanged for a link while it is walked leads nowhere', { skip }, async () => {
  const { path } = tree('exchanged');
  const target = join(folder, 'target');
  mkdirSync(join(target, 'inner'), { recursive: true });
  mkdirSync(join(path, 'turning', 'inner'), { recursive: true });
  const turn = join(path, 'turning');
  const exchanging = spawn(process.execPath, [
    '-e',
    `const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
    process.stdout.write('turning');
    for (;;) {
      renameSync(${JSON.stringify(turn)}, ${JSON.stringify(`${turn}-away`)});
      symlinkSync(${JSON.stringify(target)}, ${JSON.stringify(turn)});
      unlinkSync(${JSON.stringify(turn)});
      renameSync(${JSON.stringify(`${turn}-away`)}, ${JSON.stringify(turn)});
    }`,
  ]);
  try {
    await once(exchanging.stdout, 'data');
    sudo();
    for (let k = 0; k < 2000; k++) giveBack(path);
    for (const entry of [target, join(target, 'inner')]) assert.deepEqual(ownerOf(entry), root, entry);
  } finally {
    exchanging.kill('SIGKILL');
    await once(exchanging, 'close');
  }
});

/** Makes a folder of the person's that contains a link of the person's to `target`. */
function homeWithLink(name: string, target: string): string {
  const home = join(folder, name);
  mkdirSync(home);
  symlinkSync(target, join(home, 'link'));
  chownSync(home, someone[0]!, someone[1]!);
  lchownSync(join(home, 'link'), someone[0]!, someone[1]!);
  return home;
}

test('a folder above it that is exchanged for a link leads nowhere', { skip }, () => {
  const outside = join(folder, 'not-theirs');
  mkdirSync(join(outside, 'etc'), { recursive: true });
  writeFileSync(join(outside, 'etc', 'passwd'), '');
  const home = homeWithLink('exchanging', outside);
  sudo();
  makeFolder(join(home, 'a', 'etc'));
  renameSync(join(home, 'a'), join(home, 'b'));
  renameSync(join(home, 'link'), join(home, 'a'));
  giveBack(join(home, 'a', 'etc'));
  giveMade(join(home, 'a', 'etc'));
  for (const path of ['etc', 'etc/passwd']) assert.deepEqual(ownerOf(join(outside, path)), root, path);
});

test('a run behind a link of theirs is given all the same, when it is new and when it goes on', { skip }, () => {
  const disk = join(folder, 'large-disk');
  mkdirSync(disk);
  chownSync(disk, someone[0]!, someone[1]!);
  const runs = join(homeWithLink('linking', disk), 'link');
  sudo();
  const entries = () => readdirSync(disk, { recursive: true, encoding: 'utf8' }).map(name => join(disk, name));
  const ofRoot = () => entries().filter(path => ownerOf(path)[0] === 0);
  const run = createFolder(runs, 'study', planOf());
  writeFileSync(run.file('report.html'), '');
  run.release();
  giveBack(run.path);
  assert.deepEqual(ofRoot(), []);
  const again = RunFolder.resume(run.path);
  writeFileSync(again.file('summary.json'), '');
  assert.deepEqual(ofRoot(), [join(disk, 'study', 'summary.json')]);
  again.release();
  giveBack(again.path);
  assert.deepEqual(ofRoot(), []);
  assert.ok(entries().length > 3);
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

test("under sudo a folder belongs to whose folder it is made in, so root's stay root's", { skip }, () => {
  const [theirs, roots] = ['theirs', 'roots'].map(name => join(folder, name));
  mkdirSync(theirs!);
  mkdirSync(roots!);
  chownSync(theirs!, someone[0]!, someone[1]!);
  sudo();
  for (const parent of [theirs!, roots!]) makeFolder(join(parent, 'runs', 'study', 'trials'));
  for (const path of ['runs', 'runs/study', 'runs/study/trials']) {
    assert.deepEqual(ownerOf(join(theirs!, path)), someone, path);
    assert.deepEqual(ownerOf(join(roots!, path)), root, path);
  }
});

test('a study that is killed leaves nothing in a run folder that its owner could not remove', { skip }, () => {
  const parent = join(folder, 'checkout');
  mkdirSync(parent);
  chownSync(parent, someone[0]!, someone[1]!);
  sudo();
  const plan = planOf({ run: { repeats: 2 } });
  makeFolder(join(parent, 'runs'));
  const run = createFolder(join(parent, 'runs'), 'study', plan);
  const first = run.begin('0001-all');
  makeFolder(join(first, 'applications', 'call'));
  writeFileSync(join(first, 'applications', 'call', 'frames.jsonl'), '{}\n');
  run.commit(first, fileOf(plan, 1));
  const second = run.begin('0002-all');
  makeFolder(join(second, 'applications', 'call'));
  writeFileSync(join(second, 'ping.jsonl'), '{}\n'); // the run is killed here
  const kept = readdirSync(parent, { recursive: true, encoding: 'utf8' }).map(name => join(parent, name));
  const ofRoot = kept.filter(path => ownerOf(path)[0] === 0);
  assert.deepEqual(ofRoot, [join(second, 'ping.jsonl')], 'in a folder of theirs');
  assert.ok(kept.includes(join(RunFolder.open(run.path).trialFolder('0001-all'), 'applications/call/frames.jsonl')));
});

test("a planner's key in a folder of that person's is theirs", { skip }, () => {
  const home = join(folder, 'keys');
  mkdirSync(home);
  chownSync(home, someone[0]!, someone[1]!);
  sudo();
  const path = join(home, 'planner.pem');
  PlannerKey.ofUser(path);
  assert.deepEqual(ownerOf(path), someone);
});
