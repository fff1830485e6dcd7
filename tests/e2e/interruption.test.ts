/**
 * What happens when a run is stopped or killed: nothing stays behind, nothing complete is lost. Parts that die:
 * tests/long.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../core/deadline.ts';
import { disturbedBy } from './support/disturbed.ts';
import { counted, inPlace, inSecondTrial, namespaceOf } from './support/interrupted.ts';
import {
  allNamespaces,
  cannotRun,
  type Ended,
  leasesOf,
  namespacesOf,
  type Place,
  short,
} from './support/run-command.ts';

/** A study that has gone on ends with both trials, or with what the machine voided of them. */
function assertCompleted(context: TestContext, place: Place, { status, stdout, stderr }: Ended): void {
  const disturbed = disturbedBy(place.out, ['0001-baseline', '0002-flood']);
  if (disturbed !== undefined) return context.skip(`all but the end of the study was checked: ${disturbed}`);
  assert.equal(status, 0, stdout + stderr);
  assert.deepEqual(counted(place), ['0001-baseline', '0002-flood']);
}

describe('interruptions', { skip: cannotRun }, () => {
  test('Ctrl-C ends with 130, keeps the finished trial, leaves nothing; --resume runs what is missing', context =>
    inPlace(async place => {
      const session = await inSecondTrial(place);
      session.process.kill('SIGINT');
      const ended = await session.finish(30_000);
      assert.equal(ended.status, 130, ended.stderr);
      assert.match(ended.stderr, /interrupted\n {2}-> go on with: .*--resume/);
      assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+/);
      assert.deepEqual(readdirSync(place.state), []);
      const disturbed = disturbedBy(place.out, ['0001-baseline']);
      if (disturbed !== undefined) return context.skip(disturbed);
      assert.deepEqual(counted(place), ['0001-baseline']);
      const before = readFileSync(join(place.out, 'trials/0001-baseline/trial.json'), 'utf8');
      const resumed = await place.run(['experiment', '--resume', place.out]);
      assert.match(resumed.stdout, /1 of 2 trials to run/);
      assert.equal(readFileSync(join(place.out, 'trials/0001-baseline/trial.json'), 'utf8'), before);
      assert.ok(existsSync(join(place.out, 'report.html')));
      assertCompleted(context, place, resumed);
    }));

  for (const [what, alsoSignal] of [
    ['output that closes, as "| head -1" does', false],
    ['Ctrl-C that ends "| tee log" as well', true],
  ] as const)
    test(`${what}, ends with 130, says how to go on, and leaves nothing`, () =>
      inPlace(async place => {
        const session = await inSecondTrial(place);
        session.process.stdout!.destroy();
        if (alsoSignal) session.process.kill('SIGINT');
        const ended = await session.finish(60_000);
        assert.equal(ended.status, 130, ended.stderr);
        assert.match(
          ended.stderr,
          /the output has closed; stopping: .*\n(.*\n)*interrupted\n {2}-> go on with: .*--resume/,
        );
        assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+|EPIPE/);
        assert.deepEqual(readdirSync(place.state), []);
      }));

  test('after kill -9 in the middle of a trial the next start removes what was left and loses no finished trial', context =>
    inPlace(async place => {
      const session = await inSecondTrial(place);
      await namespaceOf(place, 'right-1');
      const others = (await allNamespaces()).length - (await namespacesOf(place.state)).length;
      session.process.kill('SIGKILL');
      await session.finish(5000);
      assert.equal((await namespacesOf(place.state)).length, 6, 'the killed run leaves its namespaces');
      const leases = leasesOf(place.state);
      assert.ok(leases.some(({ processes }) => processes.length > 0));
      const finished = counted(place);
      const resumed = await place.run(['experiment', '--resume', place.out]);
      assert.match(resumed.stdout, /removed what 1 killed run left: 6 namespaces/);
      assert.match(resumed.stdout, new RegExp(`${2 - finished.length} of 2 trials to run`));
      assert.deepEqual(counted(place).slice(0, finished.length), finished);
      assert.equal((await allNamespaces()).length, others);
      assert.deepEqual(readdirSync(place.state), []);
      for (const { scratch } of leases) assert.ok(!existsSync(scratch));
      for (const { pid, startTicks } of leases.flatMap(({ processes }) => processes)) {
        const { isAlive } = await import('../../core/process-id.ts');
        assert.ok(!isAlive({ pid, startTicks }), `process ${pid} is still there`);
      }
      assertCompleted(context, place, resumed);
    }));

  test('kill -9 while the network is being built is cleaned, too', () =>
    inPlace(async place => {
      const session = place.start(['experiment', ...short, '--out', place.out]);
      await until(
        () => leasesOf(place.state).some(({ namespaces }) => namespaces.length > 0) || undefined,
        20_000,
        'the first namespace',
        { everyMs: 2 },
      );
      session.process.kill('SIGKILL');
      await session.finish(5000);
      const cleaned = await place.run(['clean']);
      assert.equal(cleaned.status, 0);
      assert.match(cleaned.stdout, /removed what 1 killed run left/);
      assert.deepEqual(await namespacesOf(place.state), []);
      assert.deepEqual(readdirSync(place.state), []);
    }));

  test('Ctrl-C while the link is being proved ends at once, and leaves nothing', () =>
    inPlace(async place => {
      const session = place.start(['experiment', ...short, '--out', place.out]);
      await session.printed(/testing the link/);
      session.process.kill('SIGINT');
      const ended = await session.finish(15_000);
      assert.equal(ended.status, 130, ended.stderr);
      assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+/);
      assert.deepEqual(readdirSync(place.state), []);
      assert.deepEqual(await namespacesOf(place.state), []);
    }));
});
