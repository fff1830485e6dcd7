/** A study through a queue of its own: whole, and with its planner killed. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { inPlace } from '../e2e/support/interrupted.ts';
import { servers, startOverQueue } from '../e2e/support/local-queue.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

describe('a study over a queue', { skip: cannotRun }, () => {
  test('one command brings database and worker, ends with a report of the same trials, and leaves nothing', context =>
    inPlace(async place => {
      const before = servers();
      const session = startOverQueue(place, 'run.retries=6');
      await session.printed(/workers: /);
      const { status, stdout, stderr } = await session.finish(300_000);
      const disturbed = disturbedBy(place.out, ['0001-baseline', '0002-flood']);
      if (disturbed === undefined) {
        assert.equal(status, 0, stdout + stderr);
        assert.match(stdout, /report: {2}.*report\.html\n$/);
      }
      assert.match(stderr, /\[worker .*\] hello: 0001-baseline, try 1/);
      const folder = RunFolder.open(place.out);
      for (const name of folder.trialNames({ voided: true })) {
        const { machine, software, applications } = folder.trialFile(name);
        assert.ok(machine !== undefined && software !== undefined, name);
        assert.ok(readdirSync(folder.trialFolder(name)).includes('ping.jsonl') && applications.length > 0, name);
      }
      assert.deepEqual(servers(), before);
      assert.deepEqual(await place.namespaces(), []);
      if (disturbed !== undefined) context.skip(disturbed);
    }));

  test('when its planner is killed, database and worker end by themselves, and --resume goes on', () =>
    inPlace(async place => {
      const before = servers();
      const session = startOverQueue(place);
      await session.printed(/hello: 0001-baseline, try 1/);
      session.process.kill('SIGKILL');
      await session.finish(60_000); // its output closes when the worker has ended, too
      assert.deepEqual(await place.namespaces(), []);
      assert.deepEqual(servers(), before);
      const again = place.start(['experiment', '--resume', place.out, '--queue', 'local']);
      await again.printed(/hello: 000/); // a machine that is busy has the first trial run again
      again.process.kill('SIGINT');
      const { status, stderr } = await again.finish(60_000);
      assert.equal(status, 130);
      assert.match(stderr, /-> go on with: npm run experiment -- --resume .* --queue local/);
      assert.deepEqual(servers(), before);
      assert.deepEqual(await place.namespaces(), []);
    }));
});
