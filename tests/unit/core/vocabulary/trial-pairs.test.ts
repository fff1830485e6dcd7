import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairsOf, repeatsApart } from '../../../../core/vocabulary/trial-pairs.ts';

const trial = (condition: string, repeat: number, machine: string | null, stall: number | null) => ({
  condition,
  repeat,
  machine,
  metrics: stall === null ? null : { stall },
});
const of = { id: 'wired', baseline: 'alone' };

test('pairs are the trials of one repeat that count and ran on one machine', () => {
  const trials = [
    trial('alone', 1, 'a', 0),
    trial('wired', 1, 'a', 2),
    trial('alone', 2, 'a', 1),
    trial('wired', 2, 'b', 3),
    trial('alone', 3, null, 4),
    trial('wired', 3, null, 5),
    trial('alone', 4, 'a', null),
    trial('wired', 4, 'a', 6),
  ];
  assert.deepEqual(pairsOf(of, trials, 'stall'), [
    { own: 2, base: 0 },
    { own: 5, base: 4 },
  ]);
  assert.equal(repeatsApart(of, trials), 1);
  assert.deepEqual(pairsOf(of, trials, 'another'), []);
});
