import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTrialDetails } from '../../../../harness/exchange/trial-details.ts';
import { simulateViewing } from '../../../sim/viewing.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf } from '../support/plan.ts';
import { commitTrial, createFolder, fileOf, voided } from '../support/run-folder.ts';

const folder = temporaryFolder();

test('a stall says what it comes of, in a trial that does not count, too', async () => {
  const plan = planOf({ run: { window: '10s', repeats: 2 } });
  const run = createFolder(folder, 'stalled', plan);
  const clocks = { server: { offsetMs: 1000, uncertaintyMs: 0.1 }, page: { offsetMs: 0, uncertaintyMs: 0.1 } };
  const write = (directory: string) =>
    simulateViewing({ faults: { outage: { fromMs: 13_000, toMs: 13_400 } } }).write(directory);
  commitTrial(run, fileOf(plan, 1, { clocks }), write);
  commitTrial(run, fileOf(plan, 2, { clocks, verdict: voided }), write);
  const details = await readTrialDetails(run);
  assert.deepEqual(
    details.map(({ file }) => file.verdict.status),
    ['valid', 'invalid'],
  );
  for (const { stalls } of details) {
    assert.equal(stalls.length, 1);
    assert.match(stalls[0]!.label, /^stall of \d{3} ms: link outage or loss of capacity$/);
    assert.ok(stalls[0]!.fromS > 2.9 && stalls[0]!.toS < 3.6, JSON.stringify(stalls[0]));
  }
});

test('a trial that was never measured has neither series nor stalls', async () => {
  const plan = planOf({ run: { window: '10s' } });
  const run = createFolder(folder, 'unmeasured', plan);
  commitTrial(run, fileOf(plan, 1, { phases: null, verdict: voided }));
  assert.deepEqual(
    (await readTrialDetails(run)).map(({ binned, stalls }) => [binned, stalls]),
    [[null, []]],
  );
});
