/** Two studies at once on one machine: the second waits for the first, also for one that is killed. */
import { describe, test } from 'node:test';
import { cannotRun } from '../e2e/support/run-command.ts';
import { secondWaits } from '../e2e/support/two-studies.ts';

describe('two studies at once', { skip: cannotRun }, () => {
  test('the second names the first and waits until it is gone', () => secondWaits());
});
