import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireSound } from '../../../../../harness/analysis/gate/gate.ts';
import { RunFolder } from '../../../../../harness/record/run-folder.ts';
import { refuseMissed } from '../../../../../harness/studies/missed.ts';
import { finishCycle } from '../../../../../harness/studies/pairs/cycle.ts';
import type { PairsPlan } from '../../../../../harness/studies/pairs/plan.ts';
import { pairsGated, requireIntervals } from '../../../../../harness/studies/pairs/results.ts';
import { commandsWith } from '../../../support/commands.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { planOf } from '../../support/plan.ts';
import { createFolder, versions } from '../../support/run-folder.ts';
import { contestant, plan, trials } from './support/study.ts';

const folder = temporaryFolder();
const command = commandsWith();
const matrix = plan([contestant('bulk'), contestant('call')], { run: { stopping: 'fixed', repeats: 8 } });
const cell = '8mbit-bulk-and-call';
const judged: NonNullable<PairsPlan['judged']> = {
  require: [
    { metric: 'share', of: 'call', condition: cell, atLeast: '80%' },
    { metric: 'utilisation', condition: cell, atLeast: '50%', judge: 'every' },
  ],
  claims: [
    {
      text: 'A call yields to bulk.',
      holds: [
        { metric: 'share', of: 'call', condition: cell, below: '100%' },
        { metric: 'throughput', of: 'call', condition: cell, than: '8mbit-call-alone', expects: 'lower' },
      ],
    },
  ],
};

/** Finishes a study in which the call has about this many Mbit/s beside bulk, and 7 alone. */
async function finished(name: string, mbps: number) {
  const own: PairsPlan = { ...matrix, judged };
  const study = RunFolder.create<PairsPlan>(join(folder, name), { plan: own, versions, createdMs: 0 });
  const beside = Array.from({ length: 8 }, (_, k) => [5 - k / 100, mbps + k / 100]);
  for (const { file } of [
    ...trials(own, cell, beside),
    ...trials(
      own,
      '8mbit-call-alone',
      Array.from({ length: 8 }, () => [7]),
    ),
  ])
    study.commit(study.begin(file.trial.id), file);
  const end = await finishCycle(study, own, new Map());
  study.release();
  return { ...end, path: study.path };
}
const [a, b] = [await finished('a', 2), await finished('b', 1)];

test('a threshold that a service of a cell misses is a line, and the exit status', () => {
  assert.deepEqual(
    a.summary.thresholds.map(({ metric, of, kept }) => [metric, of, kept]),
    [
      ['share', 'call', false],
      ['utilisation', undefined, true],
    ],
  );
  assert.deepEqual(
    a.lines.filter(line => line.startsWith('missed')),
    [
      'missed: Share of the max-min fair share (call) of BULK beside CALL, 8mbit: 50.9 % [50.0, 51.7], n = 8, ' +
        'must be at least 80.0 %',
    ],
  );
  assert.throws(() => refuseMissed(a), { code: 'thresholds-missed', exitStatus: 4 });
});

test('a claim about cells has a verdict, in the summary, the report and a line', () => {
  assert.deepEqual(
    a.summary.claims.map(({ judgement, holds }) => [judgement, holds.map(one => one.judgement)]),
    [['right', ['right', 'right']]],
  );
  assert.ok(a.lines.includes('confirmed: A call yields to bulk. (2 of 2 comparisons hold)'), a.lines.join('\n'));
  assert.match(readFileSync(a.reportPath, 'utf8'), /<section id="claims">/);
});

test('two runs are compared: the values of each service that changed, and by how much', async () => {
  const { status, stdout, stderr } = await command('report', a.path, b.path, '--json');
  assert.equal(status, 0, stderr);
  const { conditions } = JSON.parse(stdout) as {
    conditions: {
      id: string;
      rows: { quantity: { id: string }; of?: string; shift: { value: number; low: number }; correctedP: number }[];
    }[];
  };
  const rows = conditions.find(({ id }) => id === cell)!.rows;
  const call = rows.find(({ quantity, of }) => quantity.id === 'throughput' && of === 'call')!;
  assert.ok(Math.abs(call.shift.value + 1e6) < 1, String(call.shift.value));
  assert.ok(call.correctedP < 0.05);
  const page = readFileSync(join(folder, 'compare-a-b.html'), 'utf8');
  assert.match(page, /Share of the max-min fair share \(call\) fell by/);
});

test('runs of two kinds are not compared, in one line', async () => {
  const { path } = createFolder(folder, 'other', planOf());
  const { status, stderr } = await command('report', a.path, path);
  assert.equal(status, 1);
  assert.match(stderr, /is a run of kind "pairs", .* one of kind "experiment"\n {2}-> give two runs of one study\n$/);
});

test('a wrong name is refused before the first trial', () => {
  const refused = (require: NonNullable<PairsPlan['judged']>['require'], message: RegExp, hint = /^/) =>
    assert.throws(() => requireSound(pairsGated({ ...matrix, judged: { require: require! } })), {
      code: 'bad-definition',
      message,
      hint,
    });
  refused([{ metric: 'share', atLeast: '80%' }], /share is of an application; name it by "of"$/);
  refused([{ metric: 'share', of: 'cal', atLeast: '80%' }], /there is no application "cal"/);
  refused(
    [{ metric: 'share', of: 'call', condition: '9mbit', atLeast: '80%' }],
    /there is no condition "9mbit"/,
    /^known: 8mbit, /,
  );
  refused([{ metric: 'sharing', of: 'call', atLeast: '80%' }], /there is no metric "sharing"/);
  assert.equal(
    requireSound(
      pairsGated({
        ...matrix,
        judged: { require: [{ metric: 'loss', of: 'call', atMost: '9%', condition: '8mbit' }] },
      }),
    )[0]!.conditions.length,
    3,
    'the name of a link stands for those of its cells that have the service',
  );
});

test('an interval that the planned trials of a pair cannot have is refused before they run', () => {
  const required = (condition: string, repeats: number) => {
    const own = plan([contestant('bulk'), contestant('call')], { run: { stopping: 'fixed', repeats } });
    const require = [{ metric: 'share', of: 'call', condition, atLeast: '80%' as const, judge: 'interval' as const }];
    requireIntervals('pairs', { ...own, judged: { require } });
  };
  assert.throws(() => required(cell, 5), {
    code: 'bad-definition',
    message: /^pairs: require\.0: judge: "interval" needs .* 6 trials of each condition, and the plan has 5$/,
  });
  required(cell, 6);
  required('8mbit-call-alone', 5); // seven trials of each service alone
});
