/** A study through a queue of its own whose planner is killed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inPlace } from '../e2e/support/interrupted.ts';
import { servers, startOverQueue } from '../e2e/support/local-queue.ts';
import { allNamespaces, cannotRun } from '../e2e/support/run-command.ts';

describe('a study over a queue', { skip: cannotRun }, () => {
  test('when its planner is killed, database and worker end by themselves, and --resume goes on', () =>
    inPlace(async place => {
      const [namespaces, before] = [await allNamespaces(), servers()];
      const session = startOverQueue(place);
      await session.printed(/hello: 0001-baseline, try 1/);
      session.process.kill('SIGKILL');
      await session.finish(60_000); // its output closes when the worker has ended, too
      assert.deepEqual(await allNamespaces(), namespaces);
      assert.deepEqual(servers(), before);
      const again = place.start(['experiment', '--resume', place.out, '--queue', 'local']);
      await again.printed(/hello: 000/); // a machine that is busy has the first trial run again
      again.process.kill('SIGINT');
      const { status, stderr } = await again.finish(60_000);
      assert.equal(status, 130);
      assert.match(stderr, /-> go on with: npm run experiment -- --resume .* --queue local/);
      assert.deepEqual(servers(), before);
      assert.deepEqual(await allNamespaces(), namespaces);
    }));
});
