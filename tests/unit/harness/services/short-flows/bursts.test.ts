import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../../core/schema/schema.ts';
import { mean } from '../../../../../core/stats/quantile.ts';
import { type BurstOptions, burstsOf } from '../../../../../harness/services/short-flows/bursts.ts';
import { plugin } from '../../../../../harness/services/short-flows/index.ts';
import { readReceived } from '../../../../../harness/services/short-flows/received.ts';

const usual: BurstOptions = { connections: 30, minBytes: 30e3, maxBytes: 50e3, idleMs: 10e3 };
const first = (count: number, { seed = 7, source = 0, isOn = true, options = usual } = {}) =>
  burstsOf(options, seed, source, isOn).take(count).toArray();

test('a burst has a file for each connection, of a uniform size', () => {
  const sizes = first(400).flatMap(burst => {
    assert.equal(burst.sizes.length, 30);
    return burst.sizes;
  });
  assert.ok(sizes.every(bytes => Number.isInteger(bytes) && bytes >= 30e3 && bytes <= 50e3));
  // the standard deviation of the mean of 12 000 uniform numbers is 20 000 / sqrt(12) / sqrt(12 000) = 53
  assert.ok(Math.abs(mean(sizes)! - 40e3) < 4 * 53, `${mean(sizes)}`);
  const below = sizes.filter(bytes => bytes < 35e3).length / sizes.length;
  assert.ok(Math.abs(below - 0.25) < 0.02, `${below} below a quarter of the range`);
});

test('pauses are exponential: their mean, and the share of those that are longer', () => {
  const pauses = first(4001)
    .slice(1)
    .map(({ pauseMs }) => pauseMs);
  // the standard deviation of the mean of 4000 exponential numbers is 10 000 / sqrt(4000) = 158
  assert.ok(Math.abs(mean(pauses)! - 10e3) < 4 * 158, `${mean(pauses)}`);
  const longer = pauses.filter(ms => ms > 20e3).length / pauses.length;
  assert.ok(Math.abs(longer - Math.exp(-2)) < 0.025, `${longer} longer than twice the mean`);
});

test('a source that is on begins at once, another with a pause; the rest of both is alike', () => {
  const [on, off] = [first(3), first(3, { isOn: false })];
  assert.equal(on[0]!.pauseMs, 0);
  assert.ok(off[0]!.pauseMs > 0);
  assert.deepEqual(on.slice(1), off.slice(1));
});

test('a seed gives the same bursts, another seed or source gives others', () => {
  assert.deepEqual(first(5), first(5));
  assert.notDeepEqual(first(5)[0]!.sizes, first(5, { seed: 8 })[0]!.sizes);
  assert.notDeepEqual(first(5)[0]!.sizes, first(5, { source: 1 })[0]!.sizes);
});

test('files of one size and no pauses are possible', () => {
  const options = { connections: 2, minBytes: 5000, maxBytes: 5000, idleMs: 0 };
  assert.deepEqual(first(2, { options }), [
    { pauseMs: 0, sizes: [5000, 5000] },
    { pauseMs: 0, sizes: [5000, 5000] },
  ]);
});

test('parameters that do not fit together are refused in one line', () => {
  const refused = (params: object, message: string) =>
    assert.throws(() => check(plugin.params, params, 'short-flows'), { code: 'bad-definition', message });
  refused({ minBytes: '60kB' }, 'short-flows: minBytes: minBytes is more than maxBytes');
  refused(
    { sources: 2, on: 3 },
    'short-flows: on: more sources begin with a burst than there are; give sources a higher number',
  );
  refused(
    { sources: 64, connections: 64 },
    'short-flows: connections: connections times sources is more than 1024; take fewer of one of them',
  );
});

test('what the receiver tells is checked, and named with its host', () => {
  const host = { name: 'right-1' };
  const told = { receivedBytes: 5, open: 0, ended: [{ endMs: 3, durationMs: 2.5, bytes: 5 }] };
  assert.deepEqual(readReceived(JSON.stringify(told), host), told);
  for (const wrong of [
    '',
    '{}',
    '{"receivedBytes":-1,"open":0,"ended":[]}',
    '{"receivedBytes":1,"open":0,"ended":[1]}',
  ])
    assert.throws(() => readReceived(wrong, host), {
      code: 'service-failed',
      message: /the receiver of short-flows on right-1/,
    });
});
