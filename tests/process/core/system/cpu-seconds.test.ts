import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { cpuSeconds, cpuSecondsIn } from '../../../../core/system/cpu-seconds.ts';
import { until } from '../../../../core/system/deadline.ts';

test('CPU time of a process grows with its work; one that has ended counts nothing', async () => {
  const child = spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
  try {
    const used = await until(() => cpuSeconds([child.pid!]) || undefined, 20_000, 'a process to use its CPU');
    assert.ok(used > 0 && used < 20);
    assert.ok(cpuSeconds([child.pid!, process.pid]) > used);
  } finally {
    child.kill('SIGKILL');
  }
  await until(() => (child.signalCode === null ? undefined : true), 30_000, 'the process to end');
  assert.equal(cpuSeconds([child.pid!]), 0);
  assert.equal(cpuSeconds([]), 0);
});

test('a name with blanks and brackets keeps nobody from the numbers behind it', () => {
  const line = '7 (a ) b) S 1 7 7 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 1 0 5 1 1\n';
  assert.equal(cpuSecondsIn([line, line]), 4);
});
