import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throughputBps, trafficOf } from '../../../../harness/record/traffic.ts';
import { contestant, plan, trial, windowMs } from '../studies/pairs/support/study.ts';

const of = plan([contestant('a'), contestant('b')]);
const { file } = trial(of, '8mbit-a-and-b', 1, [5e6, 2e6], { traffic: { udpPackets: 100, lateUdpPackets: 7 } });

test('the traffic of an application is of all protocols together; late packets are those of media', () => {
  assert.deepEqual(trafficOf(file, 'first'), {
    sentPackets: 900,
    sentBytes: (5e6 * windowMs) / 8000,
    droppedPackets: 100,
    delayMeanMs: 50,
    udpPackets: 100,
    lateUdpPackets: 7,
  });
  assert.equal(trafficOf({ queueLog: null }, 'first'), null);
  const { delayMeanMs, sentPackets } = trafficOf({ queueLog: { records: 0, lostRecords: 0, traffic: [] } }, 'first')!;
  assert.deepEqual([delayMeanMs, sentPackets], [null, 0]);
});

test('throughput is by the log of the queue, without one by the device of the client', () => {
  assert.deepEqual([throughputBps(file, 'first'), throughputBps(file, 'second')], [5e6, 2e6]);
  const received = {
    before: { timeMs: 0, bytes: 1000, packets: 1 },
    after: { timeMs: 2000, bytes: 251_000, packets: 200 },
  };
  const unlogged = {
    ...file,
    queueLog: null,
    applications: file.applications.map(application => ({ ...application, received })),
  };
  assert.equal(throughputBps(unlogged, 'second'), 1e6);
  assert.equal(throughputBps({ ...unlogged, applications: file.applications }, 'second'), null);
  assert.equal(throughputBps({ ...file, phases: null }, 'first'), null);
});
