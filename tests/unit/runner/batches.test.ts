import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { projectRoot } from '../../../core/system/paths.ts';
import { batchesOf, companyOf } from '../../runner/batches.ts';
import { inPool } from '../../runner/pool.ts';
import { allOf, tableOf } from '../../runner/table.ts';

test('files that start programs, have hooks or change the process run alone', () => {
  assert.equal(companyOf('tests/unit/core/text/units.test.ts'), 'pure');
  assert.equal(companyOf('tests/unit/shaper/emulator/configuration.test.ts'), 'helped', 'by a host that is none');
  assert.equal(companyOf('tests/unit/wording.test.ts'), 'none', 'programs');
  assert.equal(companyOf('tests/process/report.test.ts'), 'none', 'no part that may');
});

test('what a test only imports for its folder does not part it from others: few unit tests run alone', () => {
  const files = globSync('tests/unit/**/*.test.ts', { cwd: projectRoot });
  const alone = files.filter(file => companyOf(file) === 'none');
  assert.ok(alone.length <= files.length / 10, `${alone.length} of ${files.length}: ${alone.join(' ')}`);
});

test('every file is in one batch', () => {
  const files = Array.from({ length: 60 }, (_, k) => `${k}`);
  const batches = batchesOf(files, file => (Number(file) % 4 === 0 ? 'none' : 'pure'));
  assert.deepEqual(batches.flat().sort(), files.toSorted());
  assert.deepEqual(
    batches.map(({ length }) => length),
    [...Array.from({ length: 15 }, () => 1), 23, 22],
  );
});

test('files that start programs by what they import are apart from those that start none', () => {
  const batches = batchesOf(['a', 'b', 'c', 'd'], file => (file < 'c' ? 'helped' : 'pure'));
  assert.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('a pool runs as many at a time as it may, and begins none after the signal', async () => {
  const stop = new AbortController();
  let [running, most] = [0, 0];
  const results = await inPool([1, 2, 3, 4, 5, 6], 2, stop.signal, async job => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    if (job === 4) stop.abort();
    return job;
  });
  assert.equal(most, 2);
  assert.deepEqual(results.toSorted(), [1, 2, 3, 4]);
});

test('the table has a line for each part, and their sum', () => {
  const row = { files: 2, passed: 10, failed: 1, skipped: 0 };
  const rows = [
    { part: 'unit', ...row, seconds: 1.2, cpuSeconds: 0.9 },
    { part: 'lint', ...row, seconds: 3.4, cpuSeconds: undefined },
  ];
  assert.deepEqual(tableOf([...rows, allOf(rows, 4, 12.6)]), [
    'part               files  passed  failed  skipped  seconds  processor s',
    'unit                   2      10       1        0        1            1',
    'lint                   2      10       1        0        3            -',
    'all, by the clock      4      20       2        0        4           13',
  ]);
});
