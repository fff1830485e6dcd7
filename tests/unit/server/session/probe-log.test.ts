import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbeLog } from '../../../../server/session/probe-log.ts';

const probe = (id: number, rateBps: number) => ({ id, rateBps, minPackets: 5, minBytes: 3000 });

test('a probe is told of once nothing new can come of it: what was sent, what arrived, what was taken from it', () => {
  const log = new ProbeLog();
  log.onDecision({ probes: [probe(1, 900e3), probe(2, 1.8e6)] }, 1000);
  for (const bytes of [1200, 1200, 700]) log.onSent(1, bytes);
  log.onReceived(1, 1200);
  log.onReceived(1, 700);
  log.onDecision({ probed: [{ id: 1, rateBps: 700e3 }] }, 1200);
  log.onDecision({ probed: [{ id: 1, rateBps: 800e3 }] }, 1300);
  log.onDecision({ probes: [probe(3, 3e6)] }, 2000);
  assert.deepEqual(log.take(10_999), []);
  assert.deepEqual(log.take(11_000), [
    {
      timeMs: 1000,
      probe: 1,
      rateBps: 900e3,
      minPackets: 5,
      minBytes: 3000,
      sentPackets: 3,
      sentBytes: 3100,
      receivedPackets: 2,
      receivedBytes: 1900,
      resultBps: 800e3,
    },
    {
      timeMs: 1000,
      probe: 2,
      rateBps: 1.8e6,
      minPackets: 5,
      minBytes: 3000,
      sentPackets: 0,
      sentBytes: 0,
      receivedPackets: 0,
      receivedBytes: 0,
      resultBps: null,
    },
  ]);
  assert.deepEqual(
    log.take(Infinity).map(record => record.probe),
    [3],
  );
  assert.deepEqual(log.take(Infinity), []);
});

test('what belongs to no probe that is open is left alone', () => {
  const log = new ProbeLog();
  log.onSent(7, 1);
  log.onReceived(7, 1);
  log.onDecision({ probed: [{ id: 7, rateBps: 1 }] }, 0);
  assert.deepEqual(log.take(Infinity), []);
});
