import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stamp } from '../../../../harness/cli/study-command.ts';

test('a run is stamped with the time in UTC, fit for a file name', () => {
  assert.equal(stamp(new Date('2026-11-20T10:39:05.678Z')), '2026-11-20T10-39-05Z');
  assert.equal(stamp(new Date('2026-01-02T03:04:05+05:00')), '2026-01-01T22-04-05Z');
  assert.doesNotMatch(stamp(new Date(0)), /[^\w-]/);
});
