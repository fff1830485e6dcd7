import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTrials } from '../../../../harness/trial/check.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf } from '../support/plan.ts';
import { commitTrial, createFolder, fileOf, voided } from '../support/run-folder.ts';

test('trials without a result are missing, those that were only voided too', () => {
  const plan = planOf({ conditions: { a: {}, b: { link: { loss: '2%' } } }, run: { repeats: 2 } });
  const folder = createFolder(temporaryFolder(), 'run', plan);
  const missing = () => missingTrials(plan, folder).map(trial => trial.number);
  assert.deepEqual(missing(), [1, 2, 3, 4]);
  commitTrial(folder, fileOf(plan, 1, { verdict: { status: 'degraded', findings: [] } }));
  commitTrial(folder, fileOf(plan, 2, { verdict: voided }));
  commitTrial(folder, fileOf(plan, 4));
  folder.begin('0003-a');
  assert.deepEqual(missing(), [2, 3]);
});
