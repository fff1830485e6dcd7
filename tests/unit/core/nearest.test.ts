import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest } from '../../../core/nearest.ts';

test('edit distances', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(editDistance('same', 'same'), 0);
});

test('the word that was meant, or none', () => {
  assert.equal(nearest('flws', ['rate', 'flows', 'loss']), 'flows');
  assert.equal(nearest('RATE', ['rate']), 'rate');
  assert.equal(nearest('xyz', ['rate', 'flows']), undefined);
  assert.equal(nearest('a', []), undefined);
});
