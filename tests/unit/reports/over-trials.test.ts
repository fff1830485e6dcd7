/** Words for a still picture and for a broken voice over the trials of a condition. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Summary } from '../../../harness/analysis/summary/summary.ts';
import { stillWords } from '../../../reports/still-words.ts';
import { voiceWords } from '../../../reports/voice-words.ts';

type Values = Record<string, number | null>;

/** Summary of one condition with these trials. `disturbed`: values of a disturbed try that is shown in their place. */
const summaryOf = (trials: readonly Values[], disturbed: Values | null = null) =>
  ({
    conditions: [{ id: 'a', disturbed: disturbed === null ? null : { metrics: disturbed } }],
    trials: trials.map(metrics => ({ condition: 'a', metrics })),
  }) as unknown as Summary;

const voice = (count: number | null, seconds: number | null): Values => ({
  'voice-interruptions': count,
  'voice-interruption-time': seconds,
});

test('the voice is summed over the trials that know it, and says in how many of them it broke off', () => {
  const words = (...trials: Values[]) => voiceWords('a', summaryOf(trials));
  assert.equal(
    words(voice(3, 1.5), voice(0, 0), voice(1, 0.4), voice(null, null)),
    'the voice broke off 4 times in 2 of 3 trials, 1.90 s in all',
  );
  assert.equal(words(voice(1, 0.4)), 'the voice broke off once, 0.40 s in all');
  assert.equal(words(voice(0, 0), voice(0, 0)), 'the voice never broke off in 2 trials');
  assert.equal(words(voice(0, 0)), 'the voice never broke off');
  assert.equal(words(voice(null, null), {}), null);
  assert.equal(voiceWords('a', summaryOf([voice(9, 9)], voice(2, 1))), 'the voice broke off 2 times, 1.00 s in all');
});

test('a still picture is told with its sum and its trials, and not where there was none', () => {
  const words = (...seconds: (number | null)[]) =>
    stillWords('a', summaryOf(seconds.map(value => ({ 'still-picture-time': value }))));
  assert.equal(words(4, 0, 0.1, null), 'the picture stood still though frames came, 4.10 s in all in 2 of 3 trials');
  assert.equal(words(0.25), 'the picture stood still though frames came, 0.25 s in all');
  assert.equal(words(0, 0), null);
  assert.equal(words(null), null);
});
