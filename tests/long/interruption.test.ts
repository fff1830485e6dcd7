/**
 * The parts of a trial whose end the shorter tests leave out: each voids its trial with a reason, and nothing complete
 * is lost.
 */
import { describe } from 'node:test';
import { partNames, whenPartDies } from '../e2e/support/interrupted.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

describe('a part dies', { skip: cannotRun }, () => {
  for (const name of partNames.filter(name => name !== 'the flood')) whenPartDies(name);
});
