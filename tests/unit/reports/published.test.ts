import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../core/schema/schema.ts';
import { referenceSchema } from '../../../harness/definition/reference.ts';
import { type Named, ofOthers } from '../../../reports/named.ts';
import { publishedValue } from '../../../reports/published.ts';
import { planOf } from '../harness/support/plan.ts';

const values = { slow: '1 Mbit/s', 'fast-loss-2percent': '2 Mbit/s', fast: '3 Mbit/s', 'Lossy link': '4 Mbit/s' };
const conditions = {
  slow: { link: { rate: '1mbit' } },
  'slow-tcp': { link: { rate: '2mbit' } },
  fast: { link: { rate: '30mbit' } },
  'Lossy link': { link: { rate: '3mbit' } },
};
const varied = planOf({
  conditions,
  vary: { 'link.loss': ['1%', '2%'] },
  reference: { title: 'Paper', values: { goodput: values } },
});
const plain = planOf({ conditions, reference: { title: 'Paper', values: { goodput: values } } });
const of = (plan: typeof plain, named: Named = 'goodput') =>
  Object.fromEntries(
    plan.conditions.map(({ id }) => [
      id,
      publishedValue(check(referenceSchema, plan.definition.reference, 'reference'), plan, named, id),
    ]),
  );

test('a published value is of its own condition, and of the variations of it that have none of their own', () => {
  assert.deepEqual(of(varied), {
    'slow-loss-1percent': '1 Mbit/s',
    'slow-tcp-loss-1percent': undefined,
    'fast-loss-1percent': '3 Mbit/s',
    'lossy-link-loss-1percent': '4 Mbit/s',
    'slow-loss-2percent': '1 Mbit/s',
    'slow-tcp-loss-2percent': undefined,
    'fast-loss-2percent': '2 Mbit/s',
    'lossy-link-loss-2percent': '4 Mbit/s',
  });
});

test('another condition whose name begins alike has none of it, and another metric neither', () => {
  assert.deepEqual(of(plain), {
    slow: '1 Mbit/s',
    'slow-tcp': undefined,
    fast: '3 Mbit/s',
    'lossy-link': '4 Mbit/s',
  });
  assert.deepEqual(new Set(Object.values(of(plain, 'rtt-mean'))), new Set([undefined]));
});

test('values under the names of earlier versions are of the subject, or of the others together', () => {
  const earlier = { 'media-goodput': values, 'flood-goodput': { fast: '37 Mbit/s' } };
  const plan = planOf({ conditions, reference: { title: 'Paper', values: earlier } });
  assert.deepEqual(of(plan), of(plain));
  assert.equal(of(plan, ofOthers('goodput'))['fast'], '37 Mbit/s');
});
