import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { run } from '../../../../core/system/command.ts';
import { until } from '../../../../core/system/deadline.ts';
import { namespaceProcessIds, removeNamespaces } from '../../../../shaper/topology/namespace-host.ts';
import { testName } from '../../../runner/test-names.ts';

const skip = process.getuid?.() === 0 ? false : 'needs root, to make a network namespace';

const nameOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();

test('what went into a network of its own is of the host that it was started on, and ends with it', {
  skip,
}, async () => {
  const [host, other] = Array.from({ length: 2 }, () => testName()) as [string, string];
  for (const namespace of [host, other]) await run(['ip', 'netns', 'add', namespace]);
  // like Chromium's sandbox for its renderers
  const script = 'unshare --net sleep 600 & wait';
  const child = spawn('nsenter', [`--net=/run/netns/${host}`, '--', 'sh', '-c', script], { stdio: 'ignore' });
  try {
    const ids = await until(
      () => {
        const found = namespaceProcessIds([host]);
        return found.some(pid => nameOf(pid) === 'sleep') ? found : undefined;
      },
      30_000,
      'a process in a network of its own',
    );
    assert.deepEqual(ids.map(nameOf).toSorted(), ['sh', 'sleep']);
    assert.deepEqual(namespaceProcessIds([other]), []);
    assert.ok(!ids.includes(process.pid));
    assert.deepEqual(await removeNamespaces([host]), [host]);
    await until(() => (ids.every(pid => !isRunning(pid)) ? true : undefined), 30_000, 'both processes to end');
  } finally {
    child.kill('SIGKILL');
    await removeNamespaces([host, other]);
  }
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
