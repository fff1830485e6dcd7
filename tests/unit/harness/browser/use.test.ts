import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { UseWatch, excess, useLimits, useOf } from '../../../../harness/browser/use.ts';

const limits = { processes: 3, memoryBytes: 2 ** 30, windows: 1, downloads: 1 };

test('more memory or processes than a browser may have is said with both numbers', () => {
  assert.equal(excess({ processes: 3, memoryBytes: 2 ** 30 }, limits), undefined);
  assert.equal(
    excess({ processes: 1, memoryBytes: 1.5 * 2 ** 30 }, limits),
    'the browser took 1.5 GiB of memory, and may have 1.0 GiB',
  );
  assert.equal(excess({ processes: 4, memoryBytes: 0 }, limits), 'the browser started 4 processes, and may have 3');
  assert.equal(
    excess({ processes: 3, memoryBytes: 0, refusals: 1 }, limits),
    'the browser has 48 processes and threads, as many as it may have, and wanted more',
  );
  assert.ok(useLimits.memoryBytes > 0 && useLimits.processes > 10);
});

test('a process counts with all that it has started, from whichever thread; one that has ended counts nothing', async () => {
  const shell = spawn('sh', ['-c', '(sleep 30 & sleep 30; :) & echo ready; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    await once(shell.stdout, 'data');
    const { processes, memoryBytes } = useOf(shell.pid!);
    assert.ok(processes >= 2 && processes <= 4, `${processes} processes`);
    assert.ok(memoryBytes > 0);
    assert.ok(useOf(process.pid).processes >= processes + 1);
  } finally {
    process.kill(-shell.pid!, 'SIGKILL');
  }
  await once(shell, 'exit');
  assert.deepEqual(useOf(0), { processes: 0, memoryBytes: 0 });
});

test('the watch tells once, by an error that ends the trial', async () => {
  const errors: { code: string; message: string }[] = [];
  const watch = new UseWatch(
    () => useOf(process.pid),
    { ...limits, processes: 0 },
    error => errors.push(error),
  );
  await new Promise(resolve => setTimeout(resolve, 2300));
  watch.stop();
  assert.equal(errors.length, 1);
  assert.equal(errors[0]!.code, 'browser-died');
  assert.match(errors[0]!.message, /^the browser started \d+ processes, and may have 0$/);
});
