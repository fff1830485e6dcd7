/**
 * Hundreds of runs of known truth, through summary, report and comparison with another run: at most 2 % of what is said
 * of them is false.
 */
import assert from 'node:assert/strict';
import { testInjections } from '../unit/reports/support/injection-tests.ts';

const reports = 40;

testInjections(reports, (kind, { kinds }) => {
  if (kind !== 'an effect in one metric') return;
  assert.ok(
    kinds.get('claim')!.all > reports / 4 && kinds.get('what would have been shown')!.all > reports / 20,
    'effects were found, and missed',
  );
});
