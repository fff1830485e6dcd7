import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportData } from '../../../../reports/report.ts';
import { plugin as comparisonsSection } from '../../../../reports/sections/comparisons/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { facts, noTrials } from '../support/facts.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

const two = { alone: conditions.alone, wired: conditions.wired };

/** Section of a run with a repeat for each wired stall. Trials of "alone" stall for 300 ms. */
async function section(wiredMs: readonly number[]) {
  const plan = planOf({ conditions: two, run: { window: '10s', repeats: wiredMs.length } });
  const { page, summary } = await renderSections(
    [comparisonsSection],
    plan,
    wiredMs.flatMap(stallMs => [{ stallMs: 300 }, { stallMs }]),
  );
  const found = parsePage(page).querySelector('#comparisons')!;
  const rowOf = (title: string) =>
    [...found.querySelectorAll('tr')]
      .find(row => row.querySelector('th')?.textContent === title)!
      .textContent.replace(/\s+/g, ' ');
  return { text: found.textContent.replace(/\s+/g, ' '), rowOf, plan, summary };
}

test('seven pairs that all point one way are no chance, with estimate, harm and effect', async () => {
  const { rowOf, summary } = await section([600, 620, 640, 660, 680, 700, 720]);
  // 300 ms against 660: change 0.36 s; harm 1 - 300 / 660
  assert.match(
    rowOf('Stalled time'),
    /0\.30 s ?0\.66 s \+0\.36 s ?\[0\.32, 0\.40\] ?54\.5 % ?\[50\.0, 58\.3\] ?1 ?0\.0\d+ ?before correction 0\.016/,
  );
  const { p, correctedP, effect, pairs } = summary.comparisons[0]!.tests['stall-time']!;
  assert.deepEqual([p, effect, pairs], [2 / 2 ** 7, 1, 7]);
  assert.ok(correctedP! >= p! && correctedP! < 0.05, `${correctedP}`);
});

test('what does not differ is said not to', async () => {
  const { rowOf } = await section([300, 300, 300, 300, 300, 300]);
  assert.match(rowOf('Stalled time'), /0\.0 % ?\[0\.0, 0\.0\] ?0 ?no pair differs/);
});

test('too few pairs are said to be too few', async () => {
  const { text, rowOf } = await section([600, 700]);
  assert.match(
    text,
    /With at most 2 pairs of trials, p cannot be below 0\.5, however clear the difference\. p < 0\.05 needs 6 pairs/,
  );
  assert.match(rowOf('Stalled time'), /too few pairs$/);
  assert.match(text, /no condition has the 5 trials that the test needs/);
});

test('a trial that stands out is named, and counts', async () => {
  const { text, summary } = await section([600, 600, 620, 610, 620, 2600]);
  assert.match(text, /trials\/0012-wired: Stalled time 2\.60 s \(median of Wired: 0\.61 s\)/);
  assert.equal(summary.conditions[1]!.metrics['stall-time']!.n, 6);
});

test('a value that rounds to the median is counted, not listed', async () => {
  const { text } = await section([610, 610, 610, 610, 610, 612]);
  assert.match(text, /of these \d+ values (?:is|are) not listed because (?:it rounds|they round) to the median/);
  assert.doesNotMatch(text, /Stalled time 0\.61 s \(median of Wired: 0\.61 s\)/);
});

test('pairs that seldom differ are told apart from too few pairs', async () => {
  const { rowOf } = await section([300, 300, 300, 300, 300, 600]);
  assert.match(rowOf('Stalled time'), /too few pairs differ ?p = 1, cannot fall below 1$/);
});

test('pairs that are too few for the corrected test are said to be, not that nothing is significant', async () => {
  const { plan, summary } = await section([600, 620, 640, 660, 680, 700]);
  Object.assign(summary.comparisons[0]!.tests['stall-time']!, { correctedP: 0.06, smallestShown: null });
  const { text } = (await comparisonsSection.render({ plan, summary, ...noTrials, ...facts } as ReportData))!;
  assert.match(text, /Not testable: the pairs are too few for the corrected p of a change in this metric alone/);
  const row = [...parsePage(text).querySelectorAll('tr')].find(
    one => one.querySelector('th')?.textContent === 'Stalled time',
  )!;
  assert.match(row.textContent.replace(/\s+/g, ' '), /not testable ?before correction 0\.031$/);
});
