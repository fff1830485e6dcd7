import assert from 'node:assert/strict';
import { test } from 'node:test';
import { significance } from '../../../core/stats/false-discovery.ts';
import { type ComparedRun, compareRuns } from '../../../harness/analysis/compare/compare-runs.ts';
import { comparedRun } from '../../../harness/studies/conditions/compared.ts';
import { changesInWords, renderComparison } from '../../../reports/comparison.ts';
import { temporaryFolder } from '../harness/support/folder.ts';
import { planOf } from '../harness/support/plan.ts';
import { versions } from '../harness/support/run-folder.ts';
import { parsePage, summaryOfRun } from './support/run.ts';

const folder = temporaryFolder();
const conditions = { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } };

/** A run whose wired trials stall for these times. */
async function madeRun(
  name: string,
  stallsMs: readonly number[],
  change: Partial<ComparedRun['versions']> = {},
): Promise<ComparedRun> {
  const plan = planOf({ conditions, run: { window: '10s', repeats: stallsMs.length } });
  const summary = await summaryOfRun(
    folder,
    name,
    plan,
    stallsMs.flatMap(stallMs => [{}, { stallMs }]),
  );
  const createdMs = Date.UTC(2026, 10, 20);
  return { ...comparedRun(plan, summary), name, versions: { ...versions, ...change }, createdMs };
}

const [a, b] = [
  await madeRun('first', [300, 310, 320, 330, 340, 350]),
  await madeRun('second', [900, 910, 920, 930, 940, 950], { kernel: '6.19' }),
];
const page = await renderComparison(compareRuns(a, b));
const textOf = (id: string) => parsePage(page).querySelector(`#${id}`)!.textContent.replace(/\s+/g, ' ');

test('what differs is named first, then what changed in words, then every number', () => {
  assert.deepEqual(
    [...parsePage(page).querySelectorAll('section')].map(section => section.id),
    ['differences', 'verdict', 'condition-alone', 'condition-wired'],
  );
  assert.match(textOf('differences'), /first ?second ?kernel ?6\.18 ?6\.19/);
  assert.match(
    textOf('verdict'),
    /Alone \(n = 6 and 6\): no change is shown\. .*Not shown to differ: .*Wired \(n = 6 and 6\): .*Stalled time rose by 0\.60 s \[0\.57, 0\.63\] \(worse\)/,
  );
  assert.match(
    textOf('condition-wired'),
    /Stalled time ?0\.33 s ?\[0\.30, 0\.35\] ?0\.93 s ?\[0\.90, 0\.95\] ?0\.60 s ?\[0\.57, 0\.63\] ?0\.002 ?corrected 0\.\d+ ?6, 6/,
  );
});

test('the comparison says how it was made', () => {
  assert.match(
    textOf('condition-wired'),
    /Trials of two runs are independent\..*Hodges and Lehmann.*Confidence of the interval: 95 %.*permutation test.*corrected by Benjamini and Hochberg for the comparisons that can reach a small p: 2 of the headline \(4 quantities, those in the sentences above\), and separately \d+ of the others\. Bold: corrected p below 0\.05/,
  );
});

test('a corrected p of just the level is not significant, one below it is', () => {
  const compared = compareRuns(a, b);
  const condition = compared.conditions.find(({ title }) => title === 'Wired')!;
  const wordsWith = (correctedP: number) => {
    const rows = condition.rows.map(row => ({ ...row, correctedP }));
    return changesInWords({ ...condition, rows }, compared).text;
  };
  assert.doesNotMatch(wordsWith(significance), /rose|fell/);
  assert.match(wordsWith(significance - 1e-9), /rose/);
});

test('runs that are the same in everything say so', async () => {
  const same = parsePage(await renderComparison(compareRuns(a, { ...a, name: 'again' })));
  assert.match(same.querySelector('#differences')!.textContent, /Versions, machine and plan are the same\./);
  assert.doesNotMatch(same.querySelector('#verdict')!.textContent, /rose|fell/);
});

test('a trial on each side has no interval, and no claim', async () => {
  const few = parsePage(
    await renderComparison(compareRuns(await madeRun('one', [300]), await madeRun('other', [900]))),
  );
  assert.match(
    few.querySelector('#verdict')!.textContent,
    /no change is shown\. With 1 and 1 trials, a difference in only one quantity cannot be shown, however large: with 2 headline quantities of all conditions that vary between trials, this needs 5 trials in each run\./,
  );
  assert.match(
    few.querySelector('#condition-wired')!.textContent.replace(/\s+/g, ' '),
    /There are too few trials for an interval/,
  );
});

test('what was not shown has the difference that would have been', async () => {
  const lengths = [300, 400, 500, 600, 700, 800];
  const near = parsePage(
    await renderComparison(
      compareRuns(
        await madeRun('near', lengths),
        await madeRun(
          'by',
          lengths.map(stallMs => stallMs + 30),
        ),
      ),
    ),
  ).querySelector('#verdict')!.textContent;
  const [, seconds] =
    /Wired [^.]*: no change is shown\. Not shown to differ: .*Stalled time [+\u2212]0\.\d\d s \[[^\]]*\].*: differences outside of these brackets are excluded .* Detectable with 95 % power, by the spread of these trials: .*Stalled time (0\.\d\d) s/.exec(
      near,
    )!;
  assert.ok(Number(seconds) > 0.1 && Number(seconds) < 1, seconds);
});

test('names are words, and the page is one file', async () => {
  const hostile = '<script>alert(1)</script>"';
  const named = await renderComparison(compareRuns({ ...a, name: hostile }, b));
  assert.equal(parsePage(named).querySelectorAll('script').length, 2);
  for (const element of parsePage(named).querySelectorAll('[href], [src]'))
    assert.match(element.getAttribute('href') ?? '', /^(#|data:)/);
});
