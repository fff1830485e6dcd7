import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runIn } from '../../../../../harness/record/cycles.ts';
import { RunFolder } from '../../../../../harness/record/run-folder.ts';
import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import { kindOfFolder } from '../../../../../harness/studies/kinds.ts';
import { finishCycle } from '../../../../../harness/studies/pairs/cycle.ts';
import type { PairsPlan } from '../../../../../harness/studies/pairs/plan.ts';
import { finishPairsAgain } from '../../../../../harness/studies/pairs/report.ts';
import type { TrialInFolder } from '../../../../../harness/studies/pairs/summarise.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { planOf } from '../../support/plan.ts';
import { createFolder, versions } from '../../support/run-folder.ts';
import { contestant, plan, trials } from './support/study.ts';

const folder = temporaryFolder();
const matrix = plan([contestant('one'), contestant('two')], { run: { stopping: 'fixed', repeats: 2 } });
const reason = 'the service never started';

/** Returns kind and folder of the run at a path. */
async function folderOf(path: string): Promise<[string, string]> {
  const found = await kindOfFolder(path);
  return [found.kind.id, found.folder];
}

/** Creates a study with one measured pair. Nothing else in it could be measured. */
async function made(path: string): Promise<RunFolder<PairsPlan>> {
  const study = RunFolder.create<PairsPlan>(path, { plan: matrix, versions, createdMs: 0 });
  for (const { file } of trials(matrix, '8mbit-one-and-two', [
    [5, 3],
    [5, 2],
  ]))
    study.commit(study.begin(file.trial.id), file);
  await finishCycle(
    study,
    matrix,
    new Map(matrix.cells.flatMap(({ id }) => (id === '8mbit-one-and-two' ? [] : [[id, reason] as const]))),
  );
  study.release();
  return study;
}

test('a pairwise study is finished again from its record, with the cells that could not be measured', async () => {
  const study = await made(join(folder, 'study'));
  const before = readFileSync(study.file('summary.json'), 'utf8');
  writeFileSync(study.file('report.html'), '');
  assert.deepEqual(await folderOf(study.path), ['pairs', study.path]);
  const { reportPath } = await finishPairsAgain(study.path);
  assert.equal(readFileSync(study.file('summary.json'), 'utf8'), before);
  const page = readFileSync(reportPath, 'utf8');
  assert.ok(page.includes(reason));
  assert.ok(page.includes('href="trials/8mbit-one-and-two-002/index.html"'));
});

test('each trial has a page with its verdict and its files, those of the sides too, to which the report leads', async () => {
  const study = RunFolder.create<PairsPlan>(join(folder, 'pages'), { plan: matrix, versions, createdMs: 0 });
  const [{ file }] = trials(matrix, '8mbit-one-and-two', [[5, 3]]) as [TrialInFolder];
  for (const [change, name] of [
    [{}, file.trial.id],
    [
      {
        verdict: {
          status: 'invalid',
          findings: [{ kind: 'host', status: 'invalid', message: 'the <machine> was busy' }],
        },
      },
      `${file.trial.id}.void1`,
    ],
  ] as const) {
    const directory = study.begin(file.trial.id);
    mkdirSync(join(directory, 'first'));
    writeFileSync(join(directory, 'first', 'queue.log'), 'x'.repeat(1500));
    assert.equal(study.commit(directory, { ...file, ...change } as TrialFile), name);
  }
  for (let time = 0; time < 2; time++) await finishCycle(study, matrix, new Map());
  study.release();
  const report = readFileSync(study.file('report.html'), 'utf8');
  for (const [name, verdict] of [
    [file.trial.id, 'valid.'],
    [`${file.trial.id}.void1`, 'void.'],
  ] as const) {
    assert.ok(report.includes(`href="trials/${name}/index.html"`), name);
    const page = readFileSync(join(study.trialFolder(name), 'index.html'), 'utf8');
    assert.ok(page.includes(`Verdict: ${verdict}`) && page.includes('ONE beside TWO, 8 Mbit/s'), page);
    assert.deepEqual(
      [...page.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href),
      ['../../report.html', 'trial.json', 'first/queue.log'],
    );
    assert.ok(page.includes('1.5 kB'));
  }
  assert.ok(
    readFileSync(join(study.trialFolder(`${file.trial.id}.void1`), 'index.html'), 'utf8').includes(
      'the &lt;machine&gt; was busy',
    ),
  );
});

test('of a study that goes on for ever it is the newest cycle, with what changed since the one before', async () => {
  const site = join(folder, 'site');
  mkdirSync(join(site, 'cycles'), { recursive: true });
  await made(join(site, 'cycles/0001'));
  const last = await made(join(site, 'cycles/0002'));
  assert.deepEqual(await folderOf(site), ['pairs', last.path]);
  RunFolder.create<PairsPlan>(join(site, 'cycles/0003'), { plan: matrix, versions, createdMs: 0 }).release();
  assert.equal(runIn(site), last.path, 'one that is under way is not it');
  const { reportPath } = await finishPairsAgain(last.path);
  assert.match(
    readFileSync(reportPath, 'utf8'),
    /Against cycle 0001: machine, services and how they are run are the same\./,
  );
});

test('another study, a broken plan and no folder are no pairwise study', async () => {
  const alone = planOf({ conditions: { alone: { title: 'Alone', flood: { id: 'none' } } } });
  const { path } = createFolder(folder, 'experiment', alone);
  assert.deepEqual(await folderOf(path), ['experiment', path]);
  mkdirSync(join(folder, 'broken'));
  writeFileSync(join(folder, 'broken/plan.json'), '{');
  for (const name of ['broken', 'nothing'])
    assert.deepEqual(
      await folderOf(join(folder, name)),
      ['experiment', join(folder, name)],
      'which says what is wrong',
    );
});

test('a trial of a cell that the plan has not is refused by name', async () => {
  const study = await made(join(folder, 'foreign-cell'));
  const path = join(study.trialFolder('8mbit-one-and-two-001'), 'trial.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as TrialFile;
  writeFileSync(path, JSON.stringify({ ...file, trial: { ...file.trial, condition: 'none' } }));
  await assert.rejects(finishPairsAgain(study.path), {
    code: 'bad-run-folder',
    message: /8mbit-one-and-two-001 has a trial of "none", which is no cell of the plan$/,
  });
});

test('a plan of which no report can be made is refused by what is odd', async () => {
  const study = await made(join(folder, 'foreign-plan'));
  const kept = JSON.parse(readFileSync(study.file('plan.json'), 'utf8')) as { plan: PairsPlan };
  const { plan: own } = kept;
  for (const [change, message] of [
    [{ contestants: own.contestants.slice(0, 1) }, /plan\.json: plan: the cell ".*" is of no link or contestant/],
    [{ cells: null }, /plan\.json: plan: cells: null is not a list/],
    [{ run: { ...own.run, windowMs: 1e15 } }, /plan\.json: plan: run\.windowMs: /],
  ] as const) {
    writeFileSync(study.file('plan.json'), JSON.stringify({ ...kept, plan: { ...own, ...change } }));
    await assert.rejects(finishPairsAgain(study.path), { code: 'bad-run-folder', message });
  }
});
