import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLength } from '../../../../core/vocabulary/trial-length.ts';

const refused = (windowMs: number, besideMs: number) => {
  const length = { windowMs, besideMs, besideSettings: 'run.startUp' };
  return (longestMs: number | null) => checkLength('A film', longestMs, length, 'choose another service');
};

test('a trial may last as long as its service, and no longer', () => {
  refused(57_000, 3000)(60_000);
  assert.throws(() => refused(57_001, 3000)(60_000), {
    code: 'bad-definition',
    message: 'A film ends after 60 s, before the end of a trial',
    hint: 'give run.window 57s at most, or choose another service',
  });
});

test('where no window fits, what stands beside it is too long', () => {
  assert.throws(() => refused(1000, 59_500)(60_000), { hint: 'make run.startUp shorter, or choose another service' });
});

test('what has no end is never outlasted', () => refused(1e9, 1e9)(null));
