/** Runs of kinds without conditions are exported like experiments. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../../../harness/cli/export.ts';
import { RunFolder } from '../../../../harness/record/run-folder.ts';
import { type PairsPlan, pairsFormat } from '../../../../harness/studies/pairs/plan.ts';
import { recordsOf } from '../../../../harness/studies/records.ts';
import { temporaryFolder } from '../support/folder.ts';
import { versions } from '../support/run-folder.ts';
import { contestant, plan, trials } from './pairs/support/study.ts';

const matrix = plan([contestant('one'), contestant('two')], { run: { stopping: 'fixed', repeats: 2 } });
const pair = '8mbit-one-and-two';

test('the conditions of a pairwise study are those of its trials, compared with nothing; it is exported', async () => {
  const path = join(temporaryFolder(), 'pairs');
  const folder = RunFolder.create<PairsPlan>(path, { plan: matrix, versions, createdMs: 0 });
  for (const { file } of trials(matrix, pair, [
    [5, 3],
    [5, 2],
  ]))
    folder.commit(folder.begin(file.trial.id), file);
  folder.release();
  const { conditions, study } = recordsOf(path, pairsFormat).planFile().plan;
  assert.deepEqual([study, conditions.map(({ id, baseline }) => [id, baseline])], ['A matrix', [[pair, pair]]]);
  assert.equal(await command([path, '--json', join(path, 'told.json')]), 0);
  const rows = readFileSync(join(path, 'export/metrics.csv'), 'utf8').trim().split('\n');
  assert.deepEqual(
    rows.slice(1).map(row => row.split(',')[0]),
    [`${pair}-001`, `${pair}-002`],
  );
  const applications = readFileSync(join(path, 'export/applications.csv'), 'utf8').trim().split('\n');
  assert.equal(applications.length, 5, 'a row for each side of each trial');
  assert.ok(existsSync(join(path, 'export/data-dictionary.md')));
});
