import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../core/random.ts';
import { WindowedExtreme } from '../../../core/windowed-extreme.ts';

test('least and greatest of the window, as a search would find them', () => {
  const random = seededRandom(7);
  const [least, greatest] = [new WindowedExtreme('least'), new WindowedExtreme('greatest')];
  const all: { value: number; atMs: number }[] = [];
  assert.equal(least.value, undefined);
  for (let atMs = 0; atMs < 5000; atMs += Math.floor(random.next() * 20)) {
    const value = Math.floor(random.next() * 50);
    all.push({ value, atMs });
    least.add(value, atMs, 200);
    greatest.add(value, atMs, 200);
    const inWindow = all.filter(old => atMs - old.atMs <= 200).map(old => old.value);
    assert.deepEqual([least.value, greatest.value], [Math.min(...inWindow), Math.max(...inWindow)]);
  }
});

test('after a pause the newest alone counts; a window may shrink', () => {
  const least = new WindowedExtreme('least');
  least.add(1, 0, 100);
  least.add(2, 50, 100);
  least.add(3, 60, 20);
  assert.equal(least.value, 2);
  least.add(9, 1e6, 100);
  assert.equal(least.value, 9);
});

test('what came after a time, also where nothing came since', () => {
  const least = new WindowedExtreme('least');
  assert.equal(least.after(-Infinity), undefined);
  for (const [atMs, value] of [
    [0, 50],
    [1000, 80],
    [2000, 60],
    [3000, 90],
  ] as const)
    least.add(value, atMs, 10_000);
  assert.deepEqual(
    [-7000, -1, 0, 2000, 3000].map(atMs => least.after(atMs)),
    [50, 50, 60, 90, undefined],
  );
});
