import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeThresholds } from '../../../../../harness/analysis/gate/judge.ts';
import { summariseValues } from '../../../../../harness/analysis/summary/values.ts';
import type { FinishedSummary } from '../../../../../harness/studies/conditions/finish.ts';
import { refuseMissed } from '../../../../../harness/studies/missed.ts';
import { plugin as thresholdsSection } from '../../../../../reports/judged/thresholds/index.ts';

const missedLines = (summary: FinishedSummary) => thresholdsSection.lines!({ judged: { ...summary, parties: [] } });

function summary(stalls: number[], judge: 'median' | 'interval' = 'median'): FinishedSummary {
  const conditions = [
    {
      id: 'wired',
      title: 'Wired',
      baseline: 'wired',
      trials: stalls.length,
      degraded: 0,
      voided: 0,
      reasons: [],
      everyTry: { tries: 0, metrics: {} },
      others: {},
      together: {},
      subject: 'service',
      disturbed: null,
      outliers: [],
      metrics: { 'stall-time': summariseValues(stalls) },
    },
  ];
  const thresholds = judgeThresholds(
    [{ metric: 'stall-time', conditions: ['wired'], bound: 'atMost', limit: 0.2, judge }],
    { conditions, trials: [] },
  );
  return {
    format: 2,
    study: 's',
    title: 'S',
    quantities: [{ id: 'stall-time', title: 'Stalled time', unit: 's', better: 'lower' }],
    trials: [],
    conditions,
    comparisons: [],
    machines: null,
    thresholds,
    claims: [],
  };
}

test('a line for each threshold that was missed, with value, interval and n', () => {
  assert.deepEqual(missedLines(summary([0.3, 0.45, 0.5])), [
    'missed: Stalled time of Wired: 0.45 s [0.30, 0.50], n = 3, must be at most 0.20 s',
  ]);
  assert.deepEqual(missedLines(summary([0.45])), [
    'missed: Stalled time of Wired: 0.45 s, n = 1, must be at most 0.20 s',
  ]);
  assert.deepEqual(missedLines(summary([0.1], 'interval')), [
    'missed: Stalled time of Wired: 0.10 s, n = 1, must be at most 0.20 s with its whole interval (too few trials ' +
      'for a 95 % interval, which takes six)',
  ]);
  const { thresholds, ...rest } = summary([0.45]);
  const [ofOthers] = missedLines({ ...rest, thresholds: thresholds.map(one => ({ ...one, of: 'others' })) });
  assert.match(ofOthers!, /^missed: Stalled time \(others\) of Wired: 0\.45 s/);
  assert.deepEqual(missedLines(summary([0.1])), []);
});

test('a run that missed one ends with 4, and not as one with void trials', () => {
  assert.throws(() => refuseMissed({ summary: summary([1]), reportPath: 'r.html' }), {
    code: 'thresholds-missed',
    exitStatus: 4,
    message: '1 of 1 thresholds was missed',
  });
  assert.doesNotThrow(() => refuseMissed({ summary: summary([0]), reportPath: 'r.html' }));
});
