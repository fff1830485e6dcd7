import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object } from '../../../../../core/schema/schema.ts';
import { plainLink, plainPath } from '../../../../../core/vocabulary/link.ts';
import type { MetricPlugin } from '../../../../../harness/analysis/metrics/metric.ts';
import { summarise } from '../../../../../harness/analysis/summary/summarise.ts';
import { summariseValues } from '../../../../../harness/analysis/summary/values.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { planOf } from '../../support/plan.ts';
import { flood } from '../../support/record.ts';
import { commitTrial, createFolder, fileOf, voided } from '../../support/run-folder.ts';

const folder = temporaryFolder();
const metric = (id: string): MetricPlugin => ({
  id,
  title: id,
  source: 'test',
  params: object({}),
  reading: { needs: '', cannotTell: '', definitions: {} },
  quantities: [{ id, title: id, unit: 's', better: 'lower' }],
  compute: async record => ({ [id]: (record.own?.facts?.[id] ?? null) as number | null }),
});
const metrics = [metric('stall'), metric('rate')];

type Values = { stall: number | null; rate: number | null } | 'void';

/** Returns the summary of a run of conditions a (the baseline) and b. `rows`: values of the repeats of the run. */
async function summaryOf(name: string, rows: { a: Values; b: Values }[]) {
  const plan = planOf({ conditions: { a: {}, b: { link: { loss: '2%' } } }, run: { repeats: rows.length } });
  const run = createFolder(folder, name, plan);
  for (const [i, row] of rows.entries()) {
    for (const [k, values] of [row.a, row.b].entries()) {
      commitTrial(
        run,
        fileOf(
          plan,
          2 * i + k + 1,
          values === 'void' ? { verdict: voided, facts: { stall: 99, rate: 99 } } : { facts: values, flood },
        ),
      );
    }
  }
  return summarise(run, metrics);
}

const nothing = { value: null, low: null, high: null, n: 0, confidence: null };

test('the median of what trials gave, with its interval and n', () => {
  assert.deepEqual(summariseValues([3, 1, 2]), { value: 2, low: 1, high: 3, n: 3, confidence: 0.75 });
  assert.deepEqual(summariseValues([5, null, undefined, NaN]), {
    value: 5,
    low: null,
    high: null,
    n: 1,
    confidence: null,
  });
  assert.deepEqual(summariseValues([]), nothing);
});

test('trials, conditions and pairs of one repeat', async () => {
  const summary = await summaryOf('pairs', [
    { a: { stall: 1, rate: 10 }, b: { stall: 3, rate: 20 } },
    { a: { stall: 2, rate: 40 }, b: { stall: 10, rate: 20 } },
  ]);
  assert.deepEqual(
    summary.quantities.map(quantity => quantity.id),
    ['stall', 'rate'],
  );
  assert.deepEqual(
    summary.trials.map(({ name, repeat, flood: label, metrics: values }) => [name, repeat, label, values]),
    [
      ['0001-a', 1, 'BBRv1', { stall: 1, rate: 10 }],
      ['0002-b', 1, 'BBRv1', { stall: 3, rate: 20 }],
      ['0003-a', 2, 'BBRv1', { stall: 2, rate: 40 }],
      ['0004-b', 2, 'BBRv1', { stall: 10, rate: 20 }],
    ],
  );
  assert.deepEqual(
    summary.conditions.map(({ id, baseline, trials, voided: tries }) => [id, baseline, trials, tries]),
    [
      ['a', 'a', 2, 0],
      ['b', 'a', 2, 0],
    ],
  );
  assert.deepEqual(summary.conditions[1]!.metrics['stall'], { value: 6.5, low: 3, high: 10, n: 2, confidence: 0.5 });
  // differences 3 - 1 and 10 - 2, factors 3 / 1 and 10 / 2
  const [comparison] = summary.comparisons;
  assert.deepEqual([comparison!.condition, comparison!.baseline, summary.comparisons.length], ['b', 'a', 1]);
  assert.deepEqual(comparison!.difference['stall'], { value: 5, low: 2, high: 8, n: 2, confidence: 0.5 });
  assert.deepEqual(comparison!.factor['stall'], { value: 4, low: 3, high: 5, n: 2, confidence: 0.5 });
  assert.deepEqual(comparison!.factor['rate'], { value: (2 + 0.5) / 2, low: 0.5, high: 2, n: 2, confidence: 0.5 });
});

test('where any baseline has 0 there is no factor, and a difference all the same', async () => {
  const {
    comparisons: [comparison],
  } = await summaryOf('zero', [
    { a: { stall: 0, rate: 1 }, b: { stall: 3, rate: 1 } },
    { a: { stall: 2, rate: 1 }, b: { stall: 4, rate: 1 } },
  ]);
  assert.deepEqual(comparison!.factor['stall'], nothing);
  assert.deepEqual(comparison!.difference['stall'], { value: 2.5, low: 2, high: 3, n: 2, confidence: 0.5 });
  assert.equal(comparison!.factor['rate']!.value, 1);
});

test('voided trials are listed and never counted, nor is what they would be paired with', async () => {
  const summary = await summaryOf('void', [
    { a: { stall: 1, rate: 1 }, b: 'void' },
    { a: 'void', b: { stall: 5, rate: 1 } },
    { a: { stall: 1, rate: 1 }, b: { stall: 7, rate: 1 } },
  ]);
  assert.deepEqual(
    summary.trials.map(trial => [trial.name, trial.metrics?.['stall'] ?? null]),
    [
      ['0001-a', 1],
      ['0002-b.void1', null],
      ['0003-a.void1', null],
      ['0004-b', 5],
      ['0005-a', 1],
      ['0006-b', 7],
    ],
  );
  assert.deepEqual(
    summary.conditions.map(({ trials, voided: tries }) => [trials, tries]),
    [
      [2, 1],
      [2, 1],
    ],
  );
  assert.equal(summary.conditions[1]!.metrics['stall']!.value, 6);
  assert.deepEqual(summary.comparisons[0]!.difference['stall'], {
    value: 6,
    low: null,
    high: null,
    n: 1,
    confidence: null,
  });
});

test('a value that one side of a pair lacks leaves the pair out', async () => {
  const {
    comparisons: [comparison],
  } = await summaryOf('lack', [
    { a: { stall: null, rate: 1 }, b: { stall: 3, rate: 2 } },
    { a: { stall: 1, rate: 1 }, b: { stall: 5, rate: null } },
  ]);
  assert.deepEqual([comparison!.difference['stall']!.n, comparison!.difference['rate']!.n], [1, 1]);
  assert.equal(comparison!.difference['stall']!.value, 4);
});

test('a trial that failed before its window does not count, whatever it is called', async () => {
  const plan = planOf();
  const run = createFolder(folder, 'early', plan);
  commitTrial(run, fileOf(plan, 1, { phases: null, verdict: { status: 'valid', findings: [] } }));
  const summary = await summarise(run, metrics);
  assert.equal(summary.trials[0]!.metrics, null);
  assert.equal(summary.conditions[0]!.trials, 0);
});

test('a run without a trial is a summary without numbers', async () => {
  const summary = await summarise(
    createFolder(folder, 'empty', planOf({ conditions: { a: {}, b: { link: { loss: '2%' } } } })),
    metrics,
  );
  assert.deepEqual(summary.trials, []);
  assert.deepEqual(
    summary.conditions.map(condition => condition.metrics['stall']),
    [nothing, nothing],
  );
  assert.deepEqual(summary.comparisons[0]!.difference['rate'], nothing);
  assert.deepEqual(JSON.parse(JSON.stringify(summary)), summary);
});

test('the same record gives the same summary', async () => {
  const plan = planOf();
  const run = createFolder(folder, 'again', plan);
  commitTrial(run, fileOf(plan, 1, { facts: { stall: 1, rate: 2 } }));
  assert.deepEqual(await summarise(run, metrics), await summarise(run, metrics));
});

test("what the stream has alone is the baseline's median, where that has no flood and the same service", async () => {
  const related: MetricPlugin = {
    ...metric('rate'),
    besideAlone: ({ metrics: own }, alone) => ({
      metrics: { rate: own['rate']! / alone['rate']! },
      others: {},
      together: {},
    }),
  };
  const rates = async (name: string, conditions: { [name: string]: object }) => {
    const plan = planOf({ conditions, run: { repeats: 3 } });
    const run = createFolder(folder, name, plan);
    for (const [i, rate] of [10, 5, 8, 2, 12, 4].entries()) commitTrial(run, fileOf(plan, i + 1, { facts: { rate } }));
    return (await summarise(run, [related])).trials
      .filter(({ condition }) => condition === 'b')
      .map(({ metrics: values }) => values!['rate']);
  };
  assert.deepEqual(await rates('alone', { a: { flood: { id: 'none' } }, b: {} }), [0.5, 0.2, 0.4]);
  assert.deepEqual(await rates('flooded', { a: {}, b: { link: { loss: '2%' } } }), [5, 2, 4]);
  assert.deepEqual(
    await rates('other', { a: { flood: { id: 'none' }, service: { maxBitrate: '1mbit' } }, b: {} }),
    [5, 2, 4],
  );
});

test('every condition tells its tries, those that were disturbed, and why; and its headline over every try that was measured', async () => {
  const plan = planOf({ conditions: { a: {}, b: { link: { loss: '2%' } } }, run: { repeats: 2 } });
  const run = createFolder(folder, 'tries', plan);
  const finding = (status: 'invalid' | 'degraded' | 'note', message: string) => ({
    kind: 'host' as const,
    status,
    message,
  });
  const verdict = (status: 'valid' | 'degraded' | 'invalid', ...findings: ReturnType<typeof finding>[]) => ({
    verdict: { status, findings },
  });
  const made = (rate: number, change: object = {}) => ({ facts: { rate }, ...change });
  commitTrial(run, fileOf(plan, 1, made(10)));
  commitTrial(
    run,
    fileOf(
      plan,
      2,
      made(
        90,
        verdict(
          'invalid',
          finding('invalid', 'a frame was captured 62 ms late'),
          finding('degraded', 'the machine was 85 % busy'),
        ),
      ),
    ),
  );
  commitTrial(
    run,
    fileOf(
      plan,
      2,
      made(80, { attempt: 2, ...verdict('invalid', finding('invalid', 'a frame was captured 71.5 ms late')) }),
    ),
  );
  commitTrial(
    run,
    fileOf(plan, 2, { attempt: 3, phases: null, ...verdict('invalid', finding('invalid', 'the browser died')) }),
  );
  commitTrial(
    run,
    fileOf(
      plan,
      2,
      made(20, {
        attempt: 4,
        ...verdict('degraded', finding('degraded', 'the machine was 82 % busy'), finding('note', 'no matter')),
      }),
    ),
  );
  const {
    conditions: [a, b],
  } = await summarise(run, [
    {
      ...metric('rate'),
      id: 'frame-rate',
      quantities: [{ id: 'frame-rate', title: 'x', unit: '1/s', better: 'higher' }],
      compute: async record => ({ 'frame-rate': record.own!.facts!['rate'] as number }),
    },
  ]);
  assert.deepEqual([a!.trials, a!.degraded, a!.voided, a!.reasons], [1, 0, 0, []]);
  assert.deepEqual([b!.trials, b!.degraded, b!.voided], [1, 1, 3]);
  assert.deepEqual(b!.reasons, [
    { status: 'invalid', text: 'a frame was captured \u2026 ms late', tries: 2 },
    { status: 'degraded', text: 'the machine was \u2026 % busy', tries: 1 },
    { status: 'invalid', text: 'the browser died', tries: 1 },
  ]);
  assert.deepEqual(
    [b!.metrics['frame-rate']!.value, b!.everyTry.tries, b!.everyTry.metrics['frame-rate']!.value],
    [20, 3, 80],
  );
});

test('at a subject that skips the first bottleneck, values of the application and of the link are computed once', async () => {
  const limit = { unit: 'packets', value: 40 } as const;
  const { further: _, paths: __, ...hop } = plainLink(1e6, limit);
  const link = {
    ...plainLink(2e6, limit),
    further: [hop],
    paths: { service: { ...plainPath, crosses: { from: 2, to: 2 } } },
  };
  const plan = planOf({ conditions: { a: {} }, run: { repeats: 1 } });
  const run = createFolder(folder, 'skips', plan);
  const file = fileOf(plan, 1, { facts: {} });
  commitTrial(run, { ...file, condition: { ...file.condition, link } });
  const computed: string[] = [];
  const note = (kind: string, bps: number) => computed.push(`${kind} at ${bps / 1e6} Mbit/s`);
  const both: MetricPlugin = {
    ...metric('own'),
    quantities: [
      { id: 'own', title: 'own', unit: '', better: null, perHop: true },
      { id: 'link', title: 'link', unit: '', better: null, of: 'link', perHop: true },
    ],
    compute: async record => ({ own: note(record.application.name, record.link.rateBps) }),
    computeLink: async record => ({ link: note('link', record.link.rateBps) }),
  };
  const { trials } = await summarise(run, [both]);
  assert.deepEqual(computed, ['service at 1 Mbit/s', 'link at 2 Mbit/s', 'flood at 2 Mbit/s', 'link at 1 Mbit/s']);
  assert.deepEqual([trials[0]!.metrics, trials[0]!.hops], [{ own: 1, link: 2 }, { 'hop-2': { own: 1, link: 4 } }]);
});
