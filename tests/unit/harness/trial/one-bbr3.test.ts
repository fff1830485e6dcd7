import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOneBbr3 } from '../../../../harness/trial/one-bbr3.ts';

const hint = 'give them the same bbr3Budget';

test('applications that need the same BBRv3, or none, run together', () => {
  requireOneBbr3([], hint);
  requireOneBbr3(
    [
      { name: 'call', budget: null },
      { name: 'flood', budget: 'kernel' },
    ],
    hint,
  );
  requireOneBbr3(
    [
      { name: 'a', budget: 'draft' },
      { name: 'b', budget: null },
      { name: 'c', budget: 'draft' },
    ],
    hint,
  );
});

test('two budgets at once are refused in one line that names both', () => {
  assert.throws(
    () =>
      requireOneBbr3(
        [
          { name: 'call', budget: null },
          { name: 'first', budget: 'draft' },
          { name: 'second', budget: 'kernel' },
        ],
        hint,
      ),
    {
      code: 'bad-definition',
      message:
        'first wants BBRv3 with the budget "draft" and second with "kernel" at the same time; the kernel can load only one budget at a time',
      hint,
    },
  );
});
