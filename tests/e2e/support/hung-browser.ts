/** A browser that hangs when it is to close. */
import assert from 'node:assert/strict';
import { until } from '../../../core/system/deadline.ts';
import { isAlive, startTicks } from '../../../core/system/process-id.ts';
import { below } from '../../unit/support/process-tree.ts';

/** Opens one, stops all its processes, closes it, and sees that they are gone. */
export async function isKilled(open: () => Promise<{ close(): Promise<void> }>): Promise<void> {
  const others = new Set(below(process.pid));
  const { close } = await open();
  const processes = below(process.pid)
    .filter(pid => !others.has(pid))
    .map(pid => ({ pid, startTicks: startTicks(pid)! }));
  try {
    assert.ok(processes.length > 5, `${processes.length} processes`);
    for (const { pid } of processes) process.kill(pid, 'SIGSTOP');
  } finally {
    await close();
  }
  await until(() => (processes.some(isAlive) ? undefined : true), 30_000, 'its processes to be gone');
}
