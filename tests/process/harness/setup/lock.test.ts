import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../../core/system/deadline.ts';
import { Lease } from '../../../../core/system/lease.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

type Options = { file: string; waitMs: number; leases?: string[] };
const setup = new URL('../../../../harness/setup/setup.mjs', import.meta.url).href;
const { keepSetUpAway, setUp } = (await import(setup)) as {
  keepSetUpAway(options: Options): Promise<() => void>;
  setUp(steps: object[], options: Options): Promise<void>;
};

const folder = temporaryFolder();
const steps = (isDone: boolean, made: string[]) => [{ isDone: () => isDone, make: () => made.push('made') }];

/** A set-up in a separate process, whose one step takes half a second and is done when its file exists. */
function firstStart(file: string, done: string, log: string) {
  const text = `
    const { setUp } = await import(${JSON.stringify(setup)});
    const { existsSync, appendFileSync, writeFileSync } = await import('node:fs');
    const make = () => {
      appendFileSync(${JSON.stringify(log)}, 'begin\\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      writeFileSync(${JSON.stringify(done)}, '');
      appendFileSync(${JSON.stringify(log)}, 'end\\n');
    };
    const isDone = () => existsSync(${JSON.stringify(done)});
    await setUp([{ isDone, make }], { file: ${JSON.stringify(file)}, waitMs: 60000 });
    process.stdout.write(existsSync(${JSON.stringify(done)}) ? 'ready' : 'not ready');`;
  return spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function saidBy(child: ReturnType<typeof firstStart>): Promise<string> {
  let said = '';
  child.stdout!.on('data', text => {
    said += String(text);
  });
  await once(child, 'close');
  return said;
}

test('two first starts at once both work, and each thing is made once', async () => {
  const [file, done, log] = ['two.lock', 'two.done', 'two.log'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const said = await Promise.all([firstStart(file, done, log), firstStart(file, done, log)].map(saidBy));
  assert.deepEqual(said, ['ready', 'ready']);
  assert.equal(readFileSync(log, 'utf8'), 'begin\nend\n');
});

test('nothing is changed while a study runs; what is complete holds up nobody', async () => {
  const file = join(folder, 'study.lock');
  const [first, second] = [
    await keepSetUpAway({ file, waitMs: 30_000 }),
    await keepSetUpAway({ file, waitMs: 30_000 }),
  ];
  const made: string[] = [];
  await assert.rejects(
    setUp(steps(false, made), { file, waitMs: 300 }),
    /set-up would change what a study that runs here uses/,
  );
  await setUp(steps(true, made), { file, waitMs: 300 });
  assert.deepEqual(made, []);
  first();
  second();
  await setUp(steps(false, made), { file, waitMs: 30_000 });
  assert.deepEqual(made, ['made']);
});

test('the lock of a study that was killed is free', async () => {
  const file = join(folder, 'killed.lock');
  const holder = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    const { keepSetUpAway } = await import(${JSON.stringify(setup)});
    await keepSetUpAway({ file: ${JSON.stringify(file)}, waitMs: 30_000 });
    process.stdout.write('held');
    setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(holder.stdout!, 'data');
  const made: string[] = [];
  await assert.rejects(setUp(steps(false, made), { file, waitMs: 200 }));
  holder.kill('SIGKILL');
  await until(
    async () => {
      await setUp(steps(false, made), { file, waitMs: 30_000 });
      return true;
    },
    30_000,
    'the lock',
  );
  assert.deepEqual(made, ['made']);
});

test('nothing is changed while trials run here that no wrapper holds the lock for', async () => {
  const [file, directory] = [join(folder, 'lease.lock'), join(folder, 'leases')];
  const options = { file, waitMs: 30_000, leases: [join(folder, 'nothing here'), directory] };
  const made: string[] = [];
  const lease = Lease.open(directory);
  const path = join(directory, `${lease.id}.json`);
  const record = JSON.parse(readFileSync(path, 'utf8')) as object;
  await assert.rejects(setUp(steps(false, made), options), {
    message:
      `set-up would change what process ${process.pid} uses, which runs trials here\n` +
      `  -> wait for its end, or stop it with "kill -INT ${process.pid}", and start again`,
  });
  await setUp(steps(true, made), options);
  assert.deepEqual(made, []);
  const ended = spawn('true');
  await once(ended, 'close');
  const others = [
    { checkout: '/somewhere/else/' },
    { owner: { pid: ended.pid, startTicks: 1 } },
    { owner: { pid: process.pid, startTicks: 1 } },
    { owner: null },
  ];
  for (const other of others) {
    writeFileSync(path, JSON.stringify({ ...record, ...other }));
    await setUp(steps(false, made), options);
  }
  writeFileSync(path, '{');
  await setUp(steps(false, made), options);
  lease.release();
  await setUp(steps(false, made), options);
  assert.equal(made.length, others.length + 2);
});
