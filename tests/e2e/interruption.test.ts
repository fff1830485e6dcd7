/**
 * A study that is stopped, then killed, and goes on each time: nothing complete is lost, nothing stays behind. It needs
 * a first trial that is sound; interruptions that do not: tests/process. Parts that die: tests/long.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isAlive } from '../../core/system/process-id.ts';
import { disturbedBy, sayTries } from './support/disturbed.ts';
import { anyBegins, counted, inPlace, inSecondTrial, namespaceOf } from './support/interrupted.ts';
import { cannotRun, finishOrStop, leasesOf, namespacesOf } from './support/run-command.ts';

const both = ['0001-baseline', '0002-flood'];

describe('interruptions', { skip: cannotRun }, () => {
  test('Ctrl-C ends with 130, keeps the finished trial, leaves nothing; --resume runs what is missing, also after kill -9', context =>
    inPlace(async place => {
      const session = await inSecondTrial(place);
      session.process.kill('SIGINT');
      const ended = await session.finish(60_000);
      assert.equal(ended.status, 130, ended.stderr);
      assert.match(ended.stderr, /interrupted\n {2}-> go on with: .*--resume/);
      assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+/);
      assert.deepEqual(readdirSync(place.state), []);
      const finished = counted(place);
      if (disturbedBy(place.out, [both[0]!]) === undefined) assert.deepEqual(finished, [both[0]]);
      const records = () => finished.map(name => readFileSync(join(place.out, 'trials', name, 'trial.json'), 'utf8'));
      const before = records();
      const left = new RegExp(`${2 - finished.length} of 2 trials to run`);

      const killed = place.start(['experiment', '--resume', place.out]);
      await killed.printed(left);
      await killed.printed(anyBegins);
      await namespaceOf(place, 'right-1');
      killed.process.kill('SIGKILL');
      await killed.finish(30_000);
      assert.equal((await namespacesOf(place.state)).length, 6, 'the killed run leaves its namespaces');
      const leases = leasesOf(place.state);
      assert.ok(leases.some(({ processes }) => processes.length > 0));
      assert.deepEqual(counted(place), finished);

      const resumed = await finishOrStop(place.start(['experiment', '--resume', place.out]), 120_000);
      assert.match(resumed.stdout, /removed what 1 killed run left: 6 namespaces/);
      assert.match(resumed.stdout, left);
      assert.deepEqual(records(), before);
      assert.ok(existsSync(join(place.out, 'report.html')));
      assert.deepEqual(await place.namespaces(), []);
      assert.deepEqual(readdirSync(place.state), []);
      for (const { scratch } of leases) assert.ok(!existsSync(scratch));
      for (const { pid, startTicks } of leases.flatMap(({ processes }) => processes))
        assert.ok(!isAlive({ pid, startTicks }), `process ${pid} is still there`);
      const disturbed = disturbedBy(place.out, both);
      if (disturbed !== undefined) return context.skip(`all but the end of the study was checked: ${disturbed}`);
      sayTries(context, place.out);
      assert.equal(resumed.status, 0, resumed.stdout + resumed.stderr);
      assert.deepEqual(counted(place), both);
    }));
});
