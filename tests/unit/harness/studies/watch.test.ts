import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { completeCycles } from '../../../../harness/record/cycles.ts';
import type { RunFolder } from '../../../../harness/record/run-folder.ts';
import { plugin } from '../../../../harness/studies/experiment/index.ts';
import { kindOfFolder } from '../../../../harness/studies/kinds.ts';
import type { Finished, StudyKind } from '../../../../harness/studies/study.ts';
import { type Watch, watchStudy } from '../../../../harness/studies/watch.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf } from '../support/plan.ts';
import { commitTrial, fileOf, versions, voided } from '../support/run-folder.ts';

const parent = temporaryFolder();
const plan = planOf({ run: { repeats: 1 } });

/** Watches an experiment whose trials have `change`, until `cycles` cycles are done or the watch ends. `ends`: its error. */
async function watched(
  path: string,
  cycles: number,
  ends: RegExp,
  change = {},
  missing: string | null = null,
): Promise<string[]> {
  const [said, stop] = [[] as string[], new AbortController()];
  const watch: Watch = {
    kind: plugin as StudyKind,
    plan,
    values: {},
    software: async () => ({ versions: { ...versions, kernel: `6.${said.length}` }, files: {} }),
    again: 'npm run experiment -- --resume x',
    signal: stop.signal,
    say: line => void said.push(line),
    async run(folder): Promise<Finished> {
      for (const { number } of plan.trials) commitTrial(folder as RunFolder<never>, fileOf(plan, number, change));
      if (said.length / 2 >= cycles - 1) stop.abort(new Error('enough'));
      const [summaryPath, reportPath] = [folder.file('summary.json'), folder.file('report.html')];
      return { summary: { thresholds: [] }, summaryPath, reportPath, lines: ['3 <fps> less'], missing };
    },
  };
  await assert.rejects(watchStudy(path, watch), ends);
  return said;
}

test('an experiment goes on for ever: its index has every cycle, and what changed since the one before', async () => {
  const path = join(parent, 'site');
  const said = await watched(path, 2, /enough/);
  assert.deepEqual(
    said.map(line => line.split(':')[0]),
    ['cycle 0001', 'cycle 0001 is done', 'cycle 0002', 'cycle 0002 is done'],
  );
  const index = readFileSync(join(path, 'index.html'), 'utf8');
  assert.match(index, /href="cycles\/0002\/report\.html"[^]*3 &lt;fps&gt; less[^]*href="cycles\/0001\/report\.html"/);
  assert.match(index, /href="cycles\/0002\/comparison\.html">Against cycle 0001<\/a>: 0 of \d+ headline/);
  assert.match(index, /Differences of versions, machine and plan: 1\./, 'the kernel');
  assert.ok(
    existsSync(join(path, 'cycles/0002/comparison.html')) && !existsSync(join(path, 'cycles/0001/comparison.html')),
  );
  assert.deepEqual(await kindOfFolder(path), { kind: plugin, folder: join(path, 'cycles/0002') });
});

test('a cycle of which no trial counts ends the watch, and is told on the index', async () => {
  const path = join(parent, 'void');
  const said = await watched(
    path,
    3,
    /no trial of the cycle counts/,
    { verdict: voided },
    '2 of 2 trials have no valid result',
  );
  assert.equal(said.length, 2);
  assert.match(said[1]!, /^cycle 0001 is done, 2 of 2 trials have no valid result: /);
  assert.equal(completeCycles(path)[0]!.missing, '2 of 2 trials have no valid result');
  assert.match(readFileSync(join(path, 'index.html'), 'utf8'), /2 of 2 trials have no valid result/);
});
