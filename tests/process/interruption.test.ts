/** A run that is stopped or killed early leaves nothing behind. What it has finished by then: tests/e2e. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { until } from '../../core/system/deadline.ts';
import { inPlace, whenOutputCloses } from '../e2e/support/interrupted.ts';
import { cannotRun, leasesOf, namespacesOf, short } from '../e2e/support/run-command.ts';

describe('interruptions', { skip: cannotRun }, () => {
  whenOutputCloses('output that closes, as "| head -1" does', { alsoSignal: false });

  test('kill -9 while the network is being built is cleaned, too', () =>
    inPlace(async place => {
      const session = place.start(['experiment', ...short, '--out', place.out]);
      await until(
        () => leasesOf(place.state).some(({ namespaces }) => namespaces.length > 0) || undefined,
        60_000,
        'the first namespace',
        { everyMs: 2 },
      );
      session.process.kill('SIGKILL');
      await session.finish();
      const cleaned = await place.run(['clean']);
      assert.equal(cleaned.status, 0);
      assert.match(cleaned.stdout, /removed what 1 killed run left/);
      assert.deepEqual(await namespacesOf(place.state), []);
      assert.deepEqual(readdirSync(place.state), []);
    }));

  test('Ctrl-C while the link is being proved ends the proof, and leaves nothing', () =>
    inPlace(async place => {
      const session = place.start(['experiment', ...short, '--out', place.out]);
      await session.printed(/testing the link/);
      session.process.kill('SIGINT');
      const ended = await session.finish();
      assert.equal(ended.status, 130, ended.stderr);
      assert.deepEqual(place.trials(), [], 'it waited for no trial');
      assert.doesNotMatch(ended.stderr, /at .*\.ts:\d+/);
      assert.deepEqual(readdirSync(place.state), []);
      assert.deepEqual(await place.namespaces(), []);
    }));
});
