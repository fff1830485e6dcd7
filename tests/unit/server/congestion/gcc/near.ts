/** Comparison of computed numbers. */
import assert from 'node:assert/strict';

/** Fails if the numbers differ by more than a millionth of the expected value (of 1 if that is smaller). */
export function near(actual: number | undefined, expected: number, message?: string): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
    `${message === undefined ? '' : `${message}: `}${actual} is not ${expected}`,
  );
}
