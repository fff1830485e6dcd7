import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { nowMs } from '../../../../core/system/clock.ts';
import { run } from '../../../../core/system/command.ts';
import { thisMachine } from '../../../../core/system/this-machine.ts';

test('its clocks are brought to that of the harness', () => {
  let offMs = Infinity; // the machine may delay the test between two readings, so one quick try is enough
  for (let tries = 0; tries < 50 && offMs >= 100; tries++) {
    const { wallOffsetMs, monotonicOffsetMs, uncertaintyMs } = thisMachine.clocks();
    const errors = [
      Number(process.hrtime.bigint()) / 1e6 + monotonicOffsetMs - nowMs(),
      Date.now() + wallOffsetMs - nowMs(),
    ];
    offMs = Math.max(...errors.map(Math.abs));
    assert.equal(uncertaintyMs, 0);
  }
  assert.ok(offMs < 100, `${offMs} ms`);
});

test('files are where they are, and a module of ours runs as it is', async () => {
  assert.equal(await thisMachine.give('/etc/hostname'), '/etc/hostname');
  assert.equal(thisMachine.placeOf('/tmp/x'), '/tmp/x');
  assert.match(await thisMachine.read('/proc/version'), /^Linux/);
  const words = await thisMachine.moduleWords(new URL('../../../../core/text/shell.ts', import.meta.url));
  assert.equal((await run(words)).status, 0);
});

test('a program of ours gets the options of Node that are asked for', async () => {
  const module = new URL('../../../../core/text/shell.ts', import.meta.url);
  const [node, ...options] = (await thisMachine.programWords(module, ['core'], ['--initial-heap-size=64'])).slice(
    0,
    -1,
  );
  const { stdout } = await run([node!, ...options, '-p', 'process.execArgv.join(" ")']);
  assert.match(stdout, /--initial-heap-size=64\b/);
  const without = await thisMachine.programWords(module, ['core']);
  assert.ok(!without.some(word => word.startsWith('--initial-heap-size')));
});

test('processes are killed, and one that is gone keeps no other', async () => {
  const child = spawn('sleep', ['600']);
  const closed = once(child, 'close');
  await thisMachine.endProcesses([2 ** 30, child.pid!]);
  assert.deepEqual(await closed, [null, 'SIGKILL']);
});
