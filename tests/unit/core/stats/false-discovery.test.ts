import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correctedPs } from '../../../../core/stats/false-discovery.ts';

const close = (a: readonly number[], b: readonly number[]) => {
  assert.equal(a.length, b.length);
  for (const [i, value] of a.entries()) assert.ok(Math.abs(value - b[i]!) < 1e-9, `${value} and ${b[i]}`);
};

/** The fifteen p values of Benjamini and Hochberg, 1995, section 4.1. */
const published = [
  0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
];

test('the example of the paper: at 5 % the four smallest are found', () => {
  const corrected = correctedPs(published);
  assert.equal(corrected.filter(p => p <= 0.05).length, 4);
  close(corrected.slice(0, 5), [0.0015, 0.003, 0.0095, 0.035625, 0.0603]);
});

test('a smaller p is never corrected above a larger one, and none beyond 1', () => {
  const corrected = correctedPs(published);
  for (const [i, p] of corrected.entries()) assert.ok(p <= (corrected[i + 1] ?? 1) && p >= published[i]!);
  close(correctedPs([0.9, 0.8]), [0.9, 0.9]);
});

test('the order in which they are given is kept', () => {
  close(correctedPs([0.04, 0.01, 0.03]), [0.04, 0.03, 0.04]);
});

test('one test needs no correction, none has none, and equal ones stay equal', () => {
  close(correctedPs([0.03]), [0.03]);
  close(correctedPs([]), []);
  close(correctedPs([0.03125, 0.03125, 0.03125]), [0.03125, 0.03125, 0.03125]);
});
