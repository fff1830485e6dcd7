/** The parts of a trial whose end voids it with a reason; nothing complete is lost. */
import { describe } from 'node:test';
import { partNames, whenPartDies } from '../e2e/support/interrupted.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

describe('a part dies', { skip: cannotRun }, () => {
  for (const name of partNames) whenPartDies(name);
});
