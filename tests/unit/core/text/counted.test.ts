import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../../../../core/text/counted.ts';

test('a count of one has its thing in the singular', () => {
  assert.deepEqual(
    [0, 1, 2].map(count => counted(count, 'pair')),
    ['0 pairs', '1 pair', '2 pairs'],
  );
  assert.deepEqual(
    [1, 2].map(count => counted(count, 'try', 'tries')),
    ['1 try', '2 tries'],
  );
});
