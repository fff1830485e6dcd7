/** A study through the queue, with database and worker of its own, whose worker is killed. Others: tests/long. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { childrenOf } from '../unit/support/process-tree.ts';
import { inPlace } from './support/interrupted.ts';
import { servers, startOverQueue } from './support/local-queue.ts';
import { allNamespaces, cannotRun } from './support/run-command.ts';

/** Whether a process has that word in its command line. */
const has = (id: number, word: string) => readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(word);

describe('a study over a queue', { skip: cannotRun }, () => {
  test('when its worker is killed, the study ends with that reason, and leaves nothing', () =>
    inPlace(async place => {
      const [namespaces, before] = [await allNamespaces(), servers()];
      const session = startOverQueue(place);
      await session.printed(/hello: 0001-baseline, try 1/);
      const workers = childrenOf(session.process.pid!).filter(id => has(id, 'worker'));
      assert.equal(workers.length, 1);
      process.kill(workers[0]!, 'SIGKILL');
      const { status, stderr } = await session.finish(60_000);
      assert.equal(status, 2);
      assert.match(stderr, /the worker was ended by SIGKILL/);
      await place.run(['clean']); // the next start would do so, too
      assert.deepEqual(servers(), before);
      assert.deepEqual(await allNamespaces(), namespaces);
    }));
});
