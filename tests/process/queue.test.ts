/** A study through the queue, with database and worker of its own, whose worker is killed. Others: tests/long. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { inPlace } from '../e2e/support/interrupted.ts';
import { serverOf, startOverQueue } from '../e2e/support/local-queue.ts';
import { cannotRun } from '../e2e/support/run-command.ts';
import { childrenOf } from '../unit/support/process-tree.ts';

/** Whether a process has that word in its command line. */
const has = (id: number, word: string) => readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(word);

describe('a study over a queue', { skip: cannotRun }, () => {
  test('when its worker is killed, the study ends with that reason, and leaves nothing', () =>
    inPlace(async place => {
      const session = startOverQueue(place);
      await session.printed(/hello: 0001-baseline, try 1/, 120_000);
      const workers = childrenOf(session.process.pid!).filter(id => has(id, 'worker'));
      assert.equal(workers.length, 1);
      const server = serverOf(session);
      assert.ok(existsSync(server));
      process.kill(workers[0]!, 'SIGKILL');
      const { status, stderr } = await session.finish();
      assert.equal(status, 2);
      assert.match(stderr, /the worker was ended by SIGKILL/);
      await place.clean(); // the next start would do so, too
      assert.ok(!existsSync(server), 'the folder of its database');
      assert.deepEqual(await place.namespaces(), []);
    }));
});
