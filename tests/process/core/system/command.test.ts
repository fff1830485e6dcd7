import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { Child, outputOf, run, turnToStart } from '../../../../core/system/command.ts';
import { until, within } from '../../../../core/system/deadline.ts';
import { isAlive, startTicks } from '../../../../core/system/process-id.ts';

test('output and status of a program', async () => {
  const { status, stdout } = await run(['sh', '-c', 'cat; echo err >&2; exit 0'], { input: 'in' });
  assert.deepEqual([status, stdout], [0, 'in']);
});

test('programs that are started at once leave the event loop to others between two starts', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const started: number[] = [];
  const all = Array.from({ length: 12 }, () => turnToStart().then(() => started.push(turns)));
  await Promise.all(all);
  isOver = true;
  for (const [k, turn] of started.slice(1).entries()) assert.ok(turn > started[k]!, `turns ${started.join(', ')}`);
});

test('a failure names the command and its first words', async () => {
  await assert.rejects(run(['sh', '-c', 'echo broken >&2; exit 3']), /"sh -c .*" failed with status 3: broken/);
  assert.equal((await run(['false'], { allowFailure: true })).status, 1);
});

test('a program that is not installed is an error with a mend', async () => {
  await assert.rejects(run(['no-such-program-here']), { code: 'missing-program' });
});

test('a program that does not end is killed at its deadline', async () => {
  const { signal } = await run(['sleep', '60'], { timeoutMs: 50, allowFailure: true });
  assert.equal(signal, 'SIGKILL');
});

test('a child is stopped by its id, also when it ignores the polite signal', async () => {
  const child = new Child(
    'stubborn',
    spawn('sh', ['-c', 'trap "" TERM; echo up; while :; do sleep 0.05; done'], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  await new Promise(resolve => child.process.stdout!.once('data', resolve));
  assert.ok(child.alive);
  await child.stop('SIGTERM', 100);
  assert.ok(!child.alive);
  assert.equal((await child.ended).signal, 'SIGKILL');
});

/** Returns the process id that a program prints first. */
async function firstNumber(stream: NodeJS.ReadableStream): Promise<number> {
  const [text] = (await once(stream, 'data')) as [Buffer];
  return Number(text.toString().trim());
}

const isThere = (pid: number) =>
  startTicks(pid) !== undefined && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

test('what a program has started ends with it at its deadline, and holds up nobody', async () => {
  const { stdout, signal } = await within(
    run(['sh', '-c', 'sleep 600 & echo $!; wait'], { timeoutMs: 300, allowFailure: true }),
    60_000,
    'the program to be killed',
  );
  assert.equal(signal, 'SIGKILL');
  await goneSoon(Number(stdout));
});

test('one that has left the group and holds the output open is not waited for', async () => {
  const { stdout } = await run(['sh', '-c', 'setsid sleep 600 & echo $!; wait'], {
    timeoutMs: 300,
    allowFailure: true,
  });
  const pid = Number(stdout);
  assert.ok(isThere(pid), 'it should have got away');
  process.kill(pid, 'SIGKILL');
});

test('what a child has started ends with it when it does not stop', async () => {
  const child = new Child(
    'stubborn',
    spawn('sh', ['-c', 'trap "" TERM; sleep 60 & echo $!; while :; do sleep 0.05; done'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );
  const inner = await firstNumber(child.process.stdout!);
  await child.stop('SIGTERM', 100);
  assert.ok(!child.alive);
  await goneSoon(inner);
});

const goneSoon = (pid: number) =>
  until(() => (isThere(pid) ? undefined : true), 30_000, 'what a program has started to end');

/** Starts a group leader that leaves a program in its group. The program holds no output open and ignores SIGTERM. */
const leaving = (then: string) =>
  new Child(
    'leaver',
    spawn('sh', ['-c', `(trap "" TERM; exec sleep 60) >/dev/null 2>&1 & echo $!; ${then}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );

test('what a child has started ends with it also where the child itself has ended before', async () => {
  const child = leaving('exit 3');
  const inner = await firstNumber(child.process.stdout!);
  assert.deepEqual(await child.ended, { status: 3, signal: null });
  await child.stop();
  await goneSoon(inner);
});

test('what a child has started ends with it also where the child itself ends when it is asked to', async () => {
  const child = leaving('wait');
  const inner = await firstNumber(child.process.stdout!);
  await child.stop();
  assert.equal((await child.ended).signal, 'SIGTERM');
  await goneSoon(inner);
});

test('a program that holds the output of a child that has ended does not hold up its end', async () => {
  const child = new Child(
    'leaver',
    spawn('sh', ['-c', 'sleep 60 & echo $!; exit 3'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true }),
  );
  const inner = await firstNumber(child.process.stdout!);
  assert.deepEqual(await within(child.ended, 30_000, 'its end'), { status: 3, signal: null });
  await goneSoon(inner);
});

test('the last words of a child are kept', async () => {
  const child = new Child(
    'talker',
    spawn('sh', ['-c', 'echo one >&2; echo two >&2; exit 4'], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  assert.deepEqual(await child.ended, { status: 4, signal: null });
  assert.equal(child.lastWords, 'two');
});

test('a process is told from a later one with the same number', () => {
  const own = { pid: process.pid, startTicks: startTicks(process.pid)! };
  assert.ok(isAlive(own));
  assert.ok(!isAlive({ ...own, startTicks: own.startTicks + 1 }));
  assert.equal(startTicks(2 ** 22 + 1), undefined);
});

test('a program that is no longer wanted is ended', async () => {
  const stop = new AbortController();
  const running = run(['sleep', '60'], { signal: stop.signal });
  stop.abort();
  await assert.rejects(running, { name: 'AbortError' });
});

// each waits ten seconds for an end that does not come
describe('what cannot be ended', { concurrency: true }, () => {
  test('a program that does not end although it was killed is not waited for', async () => {
    const pipe = () => new PassThrough();
    const asleep = Object.assign(new EventEmitter(), {
      exitCode: null,
      signalCode: null,
      stdin: pipe(),
      stdout: pipe(),
      stderr: pipe(),
      stdio: [] as never,
      kill: () => true,
    });
    await assert.rejects(outputOf(asleep, ['ip', 'link'], { timeoutMs: 10 }), {
      code: 'timed-out',
      message: '"ip link" was killed and has not ended',
    });
  });

  test('a group whose leader has ended and whose number another process has is left alone', async () => {
    const other = spawn('sleep', ['60'], { detached: true });
    await once(other, 'spawn');
    const pipe = () => new PassThrough();
    // like a child that ended long ago and whose process id belongs to another process now
    const ended = Object.assign(new EventEmitter(), {
      pid: other.pid!,
      exitCode: 0,
      signalCode: null,
      stdin: pipe(),
      stdout: pipe(),
      stderr: pipe(),
      stdio: [] as never,
      kill: () => false,
    });
    const child = new Child('ended', ended);
    ended.emit('exit', 0, null);
    await child.stop();
    await assert.rejects(outputOf(ended, ['ended'], { timeoutMs: 10 }), { code: 'timed-out' });
    assert.ok(isThere(other.pid!));
    other.kill('SIGKILL');
    await once(other, 'close');
  });

  test('a child that cannot be ended is told', async () => {
    const child = new Child(
      'runaway',
      // prints its process id after it has left the group
      spawn('sh', ['-c', `setsid sh -c 'echo $$; exec sleep 30' & wait`], {
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      }),
    );
    const away = await firstNumber(child.process.stdout!);
    await assert.rejects(child.stop('SIGTERM', 100), { code: 'timed-out', message: /runaway to be killed/ });
    process.kill(away, 'SIGKILL');
  });
});
