import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownValue } from '../../../../core/text/shown-value.ts';
import { checkedOutput } from '../../../../harness/queue/output.ts';
import { planOf } from '../support/plan.ts';
import { fileOf } from '../support/run-folder.ts';

test('a record that can be read and not be written again is refused', () => {
  const file = fileOf(planOf(), 1);
  const deep = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
  assert.deepEqual(checkedOutput({ file: { ...file, more: deep(30) } }), { file: { ...file, more: deep(30) } });
  for (const key of ['more', 'format'])
    assert.throws(() => checkedOutput({ file: { ...file, [key]: deep(20_000) } }), {
      code: 'bad-run-folder',
      message: 'trial.json is nested more than 64 levels deep',
    });
  assert.equal(shownValue(deep(20_000)), '[object Array] that JSON cannot write');
});
