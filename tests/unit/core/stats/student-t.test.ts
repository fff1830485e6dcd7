import assert from 'node:assert/strict';
import { test } from 'node:test';
import { studentQuantile, studentTail } from '../../../../core/stats/student-t.ts';

test('quantiles are those of the printed tables', () => {
  for (const [tail, freedom, t] of [
    [0.05, 1, 6.3138],
    [0.025, 10, 2.2281],
    [0.001, 4, 7.1732],
    [0.05, 1e6, 1.6449],
  ] as const) {
    assert.ok(
      Math.abs(studentQuantile(tail, freedom) - t) < 1e-3,
      `${tail}, ${freedom}: ${studentQuantile(tail, freedom)}`,
    );
  }
  assert.ok(
    studentQuantile(0.01, 2) > studentQuantile(0.01, 2.5) && studentQuantile(0.01, 2.5) > studentQuantile(0.01, 3),
  );
});

test('tail and quantile are inverse', () => {
  for (const t of [0, 0.5, 2, 9])
    assert.ok(Math.abs(studentQuantile(Math.max(1e-12, studentTail(t, 7)), 7) - t) < 1e-6);
});
