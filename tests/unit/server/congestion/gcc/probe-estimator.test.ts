import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbeEstimator } from '../../../../../server/congestion/gcc/probe-estimator.ts';
import { near } from './near.ts';

/** Adds packets of 1000 bytes with these gaps to a cluster of 5 packets and 5000 bytes; returns the results. */
function cluster(count: number, sendGapMs: number, receiveGapMs: number) {
  const estimator = new ProbeEstimator();
  estimator.announce({ id: 1, rateBps: 1e6, minPackets: 5, minBytes: 5000 });
  return Array.from({ length: count }, (_, i) =>
    estimator.add({ probe: 1, sentMs: i * sendGapMs, receivedMs: 500 + i * receiveGapMs, sizeBytes: 1000 }),
  );
}

test('four fifths of packets and bytes are needed', () => {
  const results = cluster(5, 10, 10);
  assert.deepEqual(results.slice(0, 3), [undefined, undefined, undefined]);
  // Three packets in 30 ms.
  near(results[3], (3 * 8000) / 0.03);
  near(results[4], (4 * 8000) / 0.04);
});

test('a cluster that arrives a little slower tells the receiving rate', () => {
  // 10 / 10.5 = 0.952 of the sending rate.
  near(cluster(5, 10, 10.5)[4], (4 * 8000) / 0.042);
});

test('one that arrives below 90 % of the sending rate has found the link: 95 % of its rate', () => {
  near(cluster(5, 10, 20)[4], (0.95 * 4 * 8000) / 0.08);
});

test('one that arrives faster tells the sending rate, up to twice as fast', () => {
  near(cluster(5, 10, 6)[4], (4 * 8000) / 0.04);
  assert.equal(cluster(5, 10, 4.9)[4], undefined);
});

test('no time, or more than a second, between first and last is no result', () => {
  assert.equal(cluster(5, 0, 10)[4], undefined);
  assert.equal(cluster(5, 10, 0)[4], undefined);
  assert.equal(cluster(5, 260, 10)[4], undefined);
});

test('a cluster is forgotten after a second; an unknown one is ignored', () => {
  const estimator = new ProbeEstimator();
  estimator.announce({ id: 1, rateBps: 1e6, minPackets: 5, minBytes: 5000 });
  for (let i = 0; i < 3; i++) estimator.add({ probe: 1, sentMs: 10 * i, receivedMs: 10 * i, sizeBytes: 1000 });
  assert.equal(
    estimator.add({ probe: 1, sentMs: 30, receivedMs: 1021, sizeBytes: 1000 }),
    undefined,
    'the first of a new one',
  );
  for (let i = 0; i < 5; i++)
    assert.equal(estimator.add({ probe: 2, sentMs: 10 * i, receivedMs: 10 * i, sizeBytes: 1000 }), undefined);
});
