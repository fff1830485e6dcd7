import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { processIdOf, startTicks } from '../../../../core/system/process-id.ts';
import type { Condition } from '../../../../harness/definition/conditions.ts';
import { RunFolder } from '../../../../harness/record/run-folder.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { planOf } from '../../../unit/harness/support/plan.ts';
import { commitTrial, createFolder, fileOf, versions, voided } from '../../../unit/harness/support/run-folder.ts';

const parent = temporaryFolder();
const plan = planOf({ run: { repeats: 2 } });
const trialsOf = (folder: RunFolder) => readdirSync(join(folder.path, 'trials')).sort();

test('a new folder holds the plan', () => {
  const folder = createFolder(parent, 'new', plan);
  assert.deepEqual(folder.planFile(), { plan, versions, createdMs: Date.UTC(2026, 10, 20) });
  assert.deepEqual(RunFolder.open(folder.path).trialNames(), []);
});

test('an empty folder may be used, one with anything in it may not', () => {
  mkdirSync(join(parent, 'empty'));
  createFolder(parent, 'empty', plan);
  mkdirSync(join(parent, 'used'));
  writeFileSync(join(parent, 'used', 'thesis.txt'), '');
  assert.throws(() => createFolder(parent, 'used', plan), { code: 'usage', message: /the folder .*used is not empty/ });
  assert.deepEqual(readdirSync(join(parent, 'used')), ['thesis.txt']);
});

test('a place that cannot be written to is said to be so', () => {
  writeFileSync(join(parent, 'a-file'), '');
  assert.throws(() => createFolder(join(parent, 'a-file'), 'run', plan), {
    code: 'cannot-write',
    message: /a-file\/run could not be written \(ENOTDIR\)/,
  });
});

test('a trial has its name only when it is complete', () => {
  const folder = createFolder(parent, 'commit', plan);
  const directory = folder.begin('0001-all');
  writeFileSync(join(directory, 'ping.jsonl'), '{}\n');
  assert.deepEqual([trialsOf(folder), folder.trialNames()], [['.partial-0001-all'], []]);
  assert.equal(folder.commit(directory, fileOf(plan, 1)), '0001-all');
  assert.deepEqual([trialsOf(folder), folder.trialNames()], [['0001-all'], ['0001-all']]);
  assert.deepEqual(readdirSync(folder.trialFolder('0001-all')).sort(), ['ping.jsonl', 'trial.json']);
  assert.deepEqual(folder.trialFile('0001-all'), fileOf(plan, 1));
});

test('what lies in the place of trial.json is replaced, also a link', () => {
  const folder = createFolder(parent, 'planted', plan);
  const precious = join(parent, 'precious');
  writeFileSync(precious, 'as it was');
  const directory = folder.begin('0001-all');
  for (const name of ['trial.json', 'trial.json.next']) symlinkSync(precious, join(directory, name));
  folder.commit(directory, fileOf(plan, 1));
  assert.equal(readFileSync(precious, 'utf8'), 'as it was');
  assert.deepEqual(folder.trialFile('0001-all'), fileOf(plan, 1));
});

test('of what begins with a dot, only trials that are not complete are removed', () => {
  const folder = createFolder(parent, 'dots', plan);
  folder.begin('0001-all');
  mkdirSync(join(folder.path, 'trials', '.ssh'));
  folder.release();
  RunFolder.resume(folder.path);
  assert.deepEqual(trialsOf(folder), ['.ssh']);
});

test('a try that does not count keeps its record under another name', () => {
  const folder = createFolder(parent, 'void', plan);
  assert.equal(folder.nextAttempt('0001-all'), 1);
  assert.equal(commitTrial(folder, fileOf(plan, 1, { attempt: 1, verdict: voided })), '0001-all.void1');
  assert.equal(folder.nextAttempt('0001-all'), 2);
  commitTrial(folder, fileOf(plan, 1, { attempt: 2, verdict: voided }));
  commitTrial(folder, fileOf(plan, 1, { attempt: 3 }));
  assert.deepEqual(folder.trialNames(), ['0001-all']);
  assert.deepEqual(folder.trialNames({ voided: true }), ['0001-all', '0001-all.void1', '0001-all.void2']);
  assert.equal(folder.nextAttempt('0002-all'), 1);
});

test('the next try has a number of its own, also where an earlier one was removed', () => {
  const folder = createFolder(parent, 'gap', plan);
  for (const attempt of [1, 2]) commitTrial(folder, fileOf(plan, 1, { attempt, verdict: voided }));
  rmSync(folder.trialFolder('0001-all.void1'), { recursive: true });
  assert.equal(folder.nextAttempt('0001-all'), 3);
});

test('what was begun can be begun again, and thrown away', () => {
  const folder = createFolder(parent, 'begin', plan);
  writeFileSync(join(folder.begin('0001-all'), 'old.jsonl'), '');
  const directory = folder.begin('0001-all');
  assert.deepEqual(readdirSync(directory), []);
  folder.discard(directory);
  assert.deepEqual(trialsOf(folder), []);
});

test('going on removes what was left half-written, and nothing else', () => {
  const folder = createFolder(parent, 'resume', plan);
  commitTrial(folder, fileOf(plan, 1));
  commitTrial(folder, fileOf(plan, 2, { verdict: voided }));
  folder.begin('0002-all');
  folder.release();
  assert.deepEqual(trialsOf(RunFolder.resume(folder.path)), ['0001-all', '0002-all.void1']);
});

test('one harness at a time writes to a folder', async () => {
  const folder = createFolder(parent, 'owned', plan);
  const other = spawn('sleep', ['600'], { stdio: 'ignore' });
  try {
    writeFileSync(folder.file('.owner'), JSON.stringify({ pid: other.pid, startTicks: startTicks(other.pid!) }));
    folder.begin('0001-all');
    assert.throws(() => RunFolder.resume(folder.path), {
      code: 'usage',
      message: `another run (process ${other.pid}) is writing to ${folder.path}`,
    });
    assert.deepEqual(trialsOf(folder), ['.partial-0001-all'], 'what the other writes is left alone');
  } finally {
    other.kill('SIGKILL');
  }
  await once(other, 'close');
  assert.deepEqual(trialsOf(RunFolder.resume(folder.path)), []);
});

test('a harness in another container or PID namespace, which cannot be seen from here, is not taken for gone', () => {
  const folder = createFolder(parent, 'other-namespace', plan);
  folder.begin('0001-all');
  writeFileSync(folder.file('.owner'), JSON.stringify({ ...processIdOf(), pidNamespace: 'pid:[1]' }));
  assert.throws(() => RunFolder.resume(folder.path), {
    code: 'usage',
    message: /of another container or PID namespace writes to /,
    hint: /if it has ended, remove .*\.owner$/,
  });
  assert.deepEqual(trialsOf(folder), ['.partial-0001-all'], 'what the other writes is left alone');
});

test('an owner that is gone, or another process with its number, holds nobody up', () => {
  const folder = createFolder(parent, 'gone', plan);
  writeFileSync(
    folder.file('.owner'),
    JSON.stringify({ pid: process.ppid, startTicks: startTicks(process.ppid)! + 1 }),
  );
  RunFolder.resume(folder.path);
  assert.equal((JSON.parse(readFileSync(folder.file('.owner'), 'utf8')) as { pid: number }).pid, process.pid);
  folder.release();
  assert.ok(!existsSync(folder.file('.owner')));
});

test('what is no run folder is not opened', () => {
  for (const path of [join(parent, 'nothing'), parent]) {
    assert.throws(() => RunFolder.open(path), { code: 'bad-run-folder', message: /is not the folder of a run/ });
    assert.throws(() => RunFolder.resume(path), { code: 'bad-run-folder' });
  }
});

test('a broken plan or trial is an error that names the file', () => {
  const folder = createFolder(parent, 'broken', plan);
  commitTrial(folder, fileOf(plan, 1));
  for (const text of ['', '{"plan":', 'null', '5', '{}', '{"plan":{"format":1}}']) {
    writeFileSync(folder.file('plan.json'), text);
    assert.throws(
      () => folder.planFile(),
      { code: 'bad-run-folder', message: /plan\.json (cannot be read|is not of this version)/ },
      text,
    );
  }
  for (const text of ['{', 'null', '[]', '{"format":9}']) {
    writeFileSync(join(folder.trialFolder('0001-all'), 'trial.json'), text);
    assert.throws(
      () => folder.trialFile('0001-all'),
      { code: 'bad-run-folder', message: /0001-all\/trial\.json (cannot be read|is not of this version)/ },
      text,
    );
  }
});

test('an older record has the frame rate among the parameters of the service only, and it is found there', () => {
  const [condition] = planOf({ service: { id: 'clip', frameRate: 25 } }).conditions as [Condition];
  const older = { ...condition, applications: condition.applications.map(({ frameRate: _, ...one }) => one) };
  const folder = createFolder(parent, 'older', { ...plan, conditions: [older] });
  commitTrial(folder, fileOf(plan, 1, { condition: older }));
  const rates = [folder.planFile().plan.conditions[0]!, folder.trialFile(folder.trialNames()[0]!).condition].map(
    ({ applications }) => applications.map(({ frameRate }) => frameRate),
  );
  assert.deepEqual(rates, [
    [25, undefined],
    [25, undefined],
  ]);
});

test('a text is replaced as a whole', () => {
  const folder = createFolder(parent, 'text', plan);
  folder.writeText('summary.json', 'first');
  folder.writeText('summary.json', 'second');
  assert.equal(readFileSync(folder.file('summary.json'), 'utf8'), 'second');
  assert.ok(!existsSync(folder.file('summary.json.next')));
});

test('of a text that cannot be put in its place nothing is left', () => {
  const folder = createFolder(parent, 'taken', plan);
  mkdirSync(folder.file('summary.json'));
  assert.throws(() => folder.writeText('summary.json', 'text'), {
    code: 'cannot-write',
    message: /summary\.json could not be written \(EISDIR\)/,
  });
  assert.ok(!existsSync(folder.file('summary.json.next')));
});

test('no name of a trial leads out of its folder', () => {
  const folder = createFolder(parent, 'names', plan);
  mkdirSync(join(folder.path, 'precious'));
  for (const name of ['../precious', 'x/../../precious', '..', '.', '', '.hidden', '/etc', 'a\0b', 'x'.repeat(300)]) {
    const wanted = { code: 'bad-run-folder', message: /^.{1,80} cannot be the name of a trial$/ };
    assert.throws(() => folder.begin(name), wanted, name);
    assert.throws(() => folder.trialFolder(name), wanted, name);
    assert.throws(() => folder.trialFile(name), wanted, name);
    const file = fileOf(plan, 1);
    assert.throws(
      () => folder.commit(join(folder.path, 'precious'), { ...file, trial: { ...file.trial, id: name } }),
      wanted,
      name,
    );
  }
  assert.deepEqual([readdirSync(folder.path).includes('precious'), trialsOf(folder)], [true, []]);
});

test('going on with a folder removes nothing that its trials/ links to', () => {
  const folder = createFolder(parent, 'linked', plan);
  folder.release();
  const elsewhere = join(parent, 'elsewhere');
  renameSync(join(folder.path, 'trials'), elsewhere);
  writeFileSync(join(elsewhere, '.profile'), '');
  symlinkSync(elsewhere, join(folder.path, 'trials'));
  assert.throws(() => RunFolder.resume(folder.path), { code: 'bad-run-folder', message: /not a folder of its own/ });
  assert.deepEqual(readdirSync(elsewhere), ['.profile']);
});

test('a text goes to its own place, wherever a link of its first name leads', () => {
  const folder = createFolder(parent, 'next', plan);
  const precious = join(parent, 'precious.txt');
  writeFileSync(precious, 'kept');
  symlinkSync(precious, join(folder.path, 'summary.json.next'));
  folder.writeText('summary.json', 'the summary');
  assert.deepEqual(
    [readFileSync(precious, 'utf8'), readFileSync(folder.file('summary.json'), 'utf8')],
    ['kept', 'the summary'],
  );
});

test("a link is no trial, and an application's name leads nowhere else", () => {
  const folder = createFolder(parent, 'links', plan);
  commitTrial(folder, fileOf(plan, 1));
  mkdirSync(join(parent, 'strange'));
  symlinkSync(join(parent, 'strange'), join(folder.path, 'trials', '0002-all'));
  assert.deepEqual(folder.trialNames(), ['0001-all']);
  const path = join(folder.trialFolder('0001-all'), 'trial.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as { applications: { name: string }[] };
  file.applications[0]!.name = '../../precious';
  writeFileSync(path, JSON.stringify(file));
  assert.throws(() => folder.trialFile('0001-all'), {
    code: 'bad-run-folder',
    message: /cannot be the name of a trial/,
  });
});
