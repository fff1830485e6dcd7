/** Studies at once on one machine: one that waits, one that runs beside the first, and one that gives up waiting. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cannotRun } from '../e2e/support/run-command.ts';
import { begun, secondWaits } from '../e2e/support/two-studies.ts';

describe('studies at once', { skip: cannotRun }, () => {
  test('while the second waits for the first, a third runs at once where it is told to, and a fourth gives up', () =>
    secondWaits(async ({ second, start, stop, isTaken }) => {
      const third = start('third', '--beside');
      await third.printed(begun);
      assert.match(third.stdout, isTaken);
      assert.doesNotMatch(second.stdout, begun);
      await stop(third);
      // who gives up waiting has a way to go on, and leaves nothing
      const fourth = start('fourth', '--wait');
      await fourth.printed(isTaken);
      await stop(fourth);
      assert.match(fourth.stderr, /--resume/);
    }));
});
