import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../harness/analysis/summary/summarise.ts';
import { dataFiles } from '../../../../harness/exchange/data-files.ts';
import { readTrialDetails } from '../../../../harness/exchange/trial-details.ts';
import { loadMetrics } from '../../../../harness/studies/metrics.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf } from '../support/plan.ts';
import { endMs, every, presentedAt, startMs, writeRecord } from '../support/record.ts';
import { commitTrial, createFolder, fileOf, voided } from '../support/run-folder.ts';

const folder = temporaryFolder();

async function filesOf(name: string, tries: number) {
  const plan = planOf({ run: { window: '10s', repeats: 2 } });
  const run = createFolder(folder, name, plan);
  for (let number = 1; number <= tries; number++) {
    commitTrial(run, fileOf(plan, number, number === 2 ? { verdict: voided } : {}), directory =>
      writeRecord(directory, { 'frames.presented': presentedAt(every(20, startMs, endMs)) }),
    );
  }
  return dataFiles(plan.study, await summarise(run, await loadMetrics()), await readTrialDetails(run));
}

test('both tables in both formats, then what their columns mean', async () => {
  const files = await filesOf('two', 2);
  assert.deepEqual(
    files.map(({ name, type, content }) => [name, type, typeof content]),
    [
      ['study-metrics.csv', 'text/csv', 'string'],
      ['study-metrics.parquet', 'application/vnd.apache.parquet', 'object'],
      ['study-binned.csv', 'text/csv', 'string'],
      ['study-binned.parquet', 'application/vnd.apache.parquet', 'object'],
      ['study-data-dictionary.md', 'text/markdown', 'string'],
    ],
  );
  const rowsOf = (name: string) => (files.find(file => file.name === name)!.content as string).trimEnd().split('\n');
  // the rows include the void try
  assert.deepEqual(
    rowsOf('study-metrics.csv').map(row => row.split(',')[0]),
    ['trial', '0001-all', '0002-all.void1'],
  );
  assert.equal(rowsOf('study-binned.csv').length, 1 + 2 * 26);
});

test('a run without a try has no files', async () => {
  assert.deepEqual(await filesOf('none', 0), []);
});
