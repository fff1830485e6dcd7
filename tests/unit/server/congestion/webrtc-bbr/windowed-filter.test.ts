import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Replacement, WindowedMax } from '../../../../../server/congestion/webrtc-bbr/windowed-filter.ts';

/** Returns a filter of ten rounds after these samples [value, round]. */
function filter(replacement: Replacement, ...samples: [value: number, round: number][]): WindowedMax {
  const windowed = new WindowedMax(10, replacement);
  for (const [value, round] of samples) windowed.update(value, round);
  return windowed;
}

test('before the first sample the maximum is 0; the first one is all three', () => {
  assert.equal(filter('replace-all').best, 0);
  const windowed = filter('replace-all', [5, 1]);
  assert.deepEqual([windowed.best, windowed.thirdBest], [5, 5]);
});

test('replace-all: a new best takes the place of all three', () => {
  const windowed = filter('replace-all', [9, 0], [3, 3], [10, 4]);
  assert.deepEqual([windowed.best, windowed.thirdBest], [10, 10]);
});

test('replace-all: a second best takes the place of the third, too', () => {
  // After a quarter of the window 7 becomes second and third; 8 then replaces both.
  assert.equal(filter('replace-all', [9, 0], [7, 3]).thirdBest, 7);
  assert.equal(filter('replace-all', [9, 0], [7, 3], [8, 4]).thirdBest, 8);
});

test('replace-one: a new best pushes the others one place down', () => {
  const windowed = filter('replace-one', [9, 0], [10, 1], [11, 2]);
  assert.deepEqual([windowed.best, windowed.thirdBest], [11, 9]);
});

test('replace-one: a second best pushes the old second one down', () => {
  const windowed = filter('replace-one', [5, 0], [9, 1], [7, 2]);
  // 9, 7, and the earlier 5.
  assert.deepEqual([windowed.best, windowed.thirdBest], [9, 5]);
  assert.equal(filter('replace-one', [5, 0], [9, 1], [7, 2], [6, 3]).thirdBest, 6);
});

test('an equal sample renews the best one', () => {
  assert.equal(filter('replace-all', [9, 0], [9, 8], [1, 15]).best, 9, '7 rounds old');
  assert.equal(filter('replace-one', [9, 0], [9, 8], [9, 9], [9, 10], [1, 18]).best, 9, 'all three are of 8 to 10');
});

test('a best sample older than the window goes; the second and third move up', () => {
  const windowed = filter('replace-all', [9, 0], [7, 3], [5, 9], [4, 10]);
  assert.equal(windowed.best, 9, '10 rounds old still counts');
  windowed.update(3, 11);
  assert.equal(windowed.best, 7);
});

test('where the second has become too old with it, the third is the best', () => {
  // 9 from round 0, 7 from 3, then 5 from 9; at 14 both 9 and 7 are more than ten rounds old.
  const windowed = filter('replace-all', [9, 0], [7, 3], [5, 9]);
  windowed.update(2, 14);
  assert.equal(windowed.best, 5);
});

test('after a silence longer than the window only the new sample counts', () => {
  assert.equal(filter('replace-all', [9, 0], [2, 11]).best, 2);
});

test('equal ones are kept from different parts of the window: more than a quarter and more than half apart', () => {
  assert.equal(filter('replace-all', [9, 0], [7, 2]).thirdBest, 9, 'a quarter is two whole rounds');
  assert.equal(filter('replace-all', [9, 0], [7, 3]).thirdBest, 7);
  assert.equal(filter('replace-all', [9, 0], [7, 3], [5, 8]).thirdBest, 7, 'half is five');
  assert.equal(filter('replace-all', [9, 0], [7, 3], [5, 9]).thirdBest, 5);
});

test('replace-one: an old third sample empties the filter though the best is young', () => {
  const samples: [number, number][] = [
    [8, 0],
    [9, 9],
    [10, 10],
    [1, 11],
  ];
  assert.equal(filter('replace-one', ...samples).best, 1);
  assert.equal(filter('replace-all', ...samples).best, 10);
});
