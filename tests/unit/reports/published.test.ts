import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedValue } from '../../../reports/published.ts';

const definition = {
  conditions: { slow: {}, 'slow-tcp': {}, fast: {} },
  reference: {
    title: 'Paper',
    values: { goodput: { slow: '1 Mbit/s', 'fast-loss-2percent': '2 Mbit/s', fast: '3 Mbit/s' } },
  },
};
const of = (condition: string, quantity = 'goodput') => publishedValue(definition, quantity, condition);

test('a published value is of its own condition, and of the variations of it that have none of their own', () => {
  assert.deepEqual(
    ['slow', 'slow-rtt-2ms', 'fast-loss-1percent', 'fast-loss-2percent'].map(condition => of(condition)),
    ['1 Mbit/s', '1 Mbit/s', '3 Mbit/s', '2 Mbit/s'],
  );
});

test('another condition whose name begins alike has none of it', () => {
  assert.deepEqual([of('slow-tcp'), of('slow-tcp-rtt-2ms'), of('slower'), of('slow', 'rtt')], Array(4).fill(undefined));
});
