/** The parts of a trial whose end voids it with a reason, and an output that ends with its reader. */
import { describe } from 'node:test';
import { partNames, whenOutputCloses, whenPartDies } from '../e2e/support/interrupted.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

describe('a part dies', { skip: cannotRun }, () => {
  for (const name of partNames) whenPartDies(name);
});

describe('the output closes', { skip: cannotRun }, () => {
  whenOutputCloses('Ctrl-C that ends "| tee log" as well', { alsoSignal: true });
});
