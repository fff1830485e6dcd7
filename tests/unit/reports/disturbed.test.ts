/** Reports on conditions without a valid trial. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeThresholds } from '../../../harness/analysis/gate/judge.ts';
import type { Summary } from '../../../harness/analysis/summary/summary.ts';
import { metricsTable } from '../../../harness/exchange/metrics-table.ts';
import { temporaryFolder } from '../harness/support/folder.ts';
import { planOf } from '../harness/support/plan.ts';
import { chartsOf, conditions, type Made, parsePage, renderRun } from './support/run.ts';

const folder = temporaryFolder();
const busy = { kind: 'host', status: 'invalid', message: 'the machine was 99 % busy' } as const;
const late = { kind: 'host', status: 'invalid', message: 'a frame was captured 65 ms late' } as const;
const voidTry = (stallMs: number, findings: readonly (typeof busy | typeof late)[]): Made => ({
  stallMs,
  change: { verdict: { status: 'invalid', findings: [...findings] } },
});
const textOf = (page: string, selector: string) =>
  parsePage(page).querySelector(selector)!.textContent.replace(/\s+/g, ' ').trim();

const plan = planOf({
  conditions: { alone: conditions.alone, wired: conditions.wired },
  run: { window: '10s', repeats: 2 },
});
/** The second try of every condition is the less disturbed one. */
const none = await renderRun(folder, 'none', plan, [
  voidTry(700, [busy, late]),
  voidTry(900, [busy, late]),
  voidTry(300, [busy]),
  voidTry(450, [busy]),
]);
const mixed = await renderRun(folder, 'mixed', plan, [{ stallMs: 300 }, voidTry(900, [busy]), { stallMs: 500 }]);

/** True if no metric has a known difference from the baseline. */
const isWithoutPairs = ({ comparisons }: Summary) =>
  comparisons.every(({ difference }) => Object.values(difference).every(({ n, value }) => n === 0 && value === null));

test('sentence, tables and figures of a study with void tries only show the least disturbed one, marked', () => {
  const verdict = textOf(none.page, '#verdict');
  assert.match(
    verdict,
    /So this report has no result\. The numbers below are of the least disturbed tries, not for publication\./,
  );
  assert.match(
    verdict,
    /Wired \([^)]*\): no valid trial, 2 void; its least disturbed try, not for publication: .*1 stall/,
  );
  const page = parsePage(none.page);
  assert.equal(page.querySelectorAll('ul.verdict > li.disturbed').length, 2);
  for (const table of ['#numbers', '#table-1']) {
    assert.ok(page.querySelectorAll(`${table} td.disturbed`).length > 4, table);
    assert.match(textOf(none.page, table), /Wired \(disturbed\)/);
    assert.match(textOf(none.page, table), /no valid trial of Alone and Wired: .*not for publication/);
  }
  assert.match(textOf(none.page, '#numbers'), /1, 0\.45 s/, 'of the second try');
  assert.doesNotMatch(textOf(none.page, '#numbers'), /0\.90 s/);
  const lines = chartsOf(none.page).flatMap(chart => chart.lines);
  assert.ok(lines.length > 4);
  assert.ok(lines.every(line => (line as { dashed?: boolean }).dashed === true));
});

test('its terminal lines say it too', () => {
  assert.match(
    none.lines.join('\n'),
    /Wired.*: no valid trial, 2 void; its least disturbed try, not for publication: /,
  );
});

test('it is in no median, interval, test or judgement', () => {
  for (const { trials, metrics, disturbed } of none.summary.conditions) {
    assert.equal(trials, 0);
    assert.ok(
      Object.values(metrics).every(
        ({ value, low, high, n }) => value === null && low === null && high === null && n === 0,
      ),
    );
    assert.deepEqual([disturbed!.forPublication, disturbed!.verdict.status], [false, 'invalid']);
  }
  assert.deepEqual(
    none.summary.conditions.map(({ disturbed }) => disturbed!.name),
    ['0003-alone.void1', '0004-wired.void1'],
  );
  assert.ok(isWithoutPairs(none.summary));
  assert.ok(none.summary.trials.every(({ metrics }) => metrics === null));
  const threshold = {
    metric: 'stall-time',
    conditions: ['wired'],
    bound: 'atMost',
    limit: 99,
    judge: 'median',
  } as const;
  const [outcome] = judgeThresholds([{ ...threshold, conditions: ['wired'] }], none.summary);
  assert.equal(outcome!.kept, false);
});

test('beside conditions with valid trials only those without are marked, and nothing is compared with them', () => {
  assert.match(textOf(mixed.page, '#numbers'), /Wired \(disturbed\)/);
  assert.doesNotMatch(textOf(mixed.page, '#numbers'), /Alone \(disturbed\)/);
  assert.doesNotMatch(textOf(mixed.page, '#verdict'), /The numbers below are of the least/);
  const [alone, wired] = mixed.summary.conditions;
  assert.deepEqual([alone!.disturbed, wired!.disturbed!.name], [null, '0002-wired.void1']);
  assert.ok(isWithoutPairs(mixed.summary));
  const dashed = chartsOf(mixed.page).flatMap(({ lines }) =>
    lines.map(line => [line.label, 'dashed' in line] as const),
  );
  assert.ok(dashed.some(([label, is]) => label === 'Alone' && !is));
  assert.ok(dashed.some(([label, is]) => label === 'Wired (disturbed)' && is));
});

test('an export marks its row, which alone of the void ones has metrics', () => {
  const columns = metricsTable(none.summary, new Map());
  const column = (name: string) => columns.find(own => own.name === name)!.values;
  assert.deepEqual(column('notForPublication'), [false, false, true, true]);
  assert.deepEqual([...column('stall-count')], [null, null, 1, 1]);
});
