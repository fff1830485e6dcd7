import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Fairness,
  fairnessOf,
  nonTransitiveTriples,
} from '../../../../../../harness/studies/pairs/analysis/triples.ts';

test('a share is fair or unfair only where its interval says so', () => {
  assert.equal(fairnessOf({ low: 0.9, high: 1.2 }), 'fair');
  assert.equal(fairnessOf({ low: 0.4, high: 0.89 }), 'unfair');
  assert.equal(fairnessOf({ low: 0.5, high: 0.9 }), 'undecided');
  assert.equal(fairnessOf({ low: 0.89, high: 1 }), 'undecided');
  assert.equal(fairnessOf(null), 'undecided');
});

/**
 * First row of the paper's table 3: Mega is unfair to NewReno (22 %), NewReno is unfair to Vimeo (58 %), but Mega is
 * fair to Vimeo (104 %).
 */
const shares: Record<string, Fairness> = {
  'reno beside mega': 'unfair',
  'vimeo beside reno': 'unfair',
  'vimeo beside mega': 'fair',
  'mega beside reno': 'fair',
  'mega beside vimeo': 'fair',
  'reno beside vimeo': 'fair',
};
const services = ['mega', 'reno', 'vimeo'];

test("the first row of the paper's table 3", () => {
  const triples = nonTransitiveTriples(services, (incumbent, contender) => shares[`${incumbent} beside ${contender}`]!);
  assert.equal(triples.all, 6);
  assert.equal(triples.decidable, 6);
  assert.ok(
    triples.found.some(
      ({ alpha, beta, gamma, kind }) =>
        alpha === 'mega' && beta === 'reno' && gamma === 'vimeo' && kind === 'unfair, unfair, fair',
    ),
  );
  // The same six shares also contain: fair, fair, unfair.
  assert.deepEqual(
    triples.found.filter(triple => triple.kind === 'fair, fair, unfair'),
    [
      { alpha: 'mega', beta: 'vimeo', gamma: 'reno', kind: 'fair, fair, unfair' },
      { alpha: 'reno', beta: 'mega', gamma: 'vimeo', kind: 'fair, fair, unfair' },
    ],
  );
});

test('a triple with an undecided share is not listed, and counted as such', () => {
  const triples = nonTransitiveTriples(services, (incumbent, contender) =>
    incumbent === 'vimeo' ? 'undecided' : shares[`${incumbent} beside ${contender}`]!,
  );
  // The two decidable triples do not need the share of vimeo.
  assert.deepEqual(triples, { found: [], all: 6, decidable: 2 });
});

test('two services make no triple', () =>
  assert.deepEqual(
    nonTransitiveTriples(['a', 'b'], () => 'fair'),
    { found: [], all: 0, decidable: 0 },
  ));
test('everybody fair to everybody is transitive', () =>
  assert.deepEqual(
    nonTransitiveTriples(services, () => 'fair'),
    { found: [], all: 6, decidable: 6 },
  ));
