import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conservationOf } from '../../../../shaper/queue-log/conservation.ts';
import { QueueLog } from '../../../../shaper/queue-log/format.ts';
import { dequeue, drop, enqueue, type Fields, logBytes, mark } from '../support/queue-log-bytes.ts';

const [overflow, randomLoss, aqm, other] = [1, 2, 3, 4];
const conservation = (...records: Fields[]) => conservationOf(QueueLog.fromBytes(logBytes(...records)));
const nothing = {
  enqueuedPackets: 0,
  dequeuedPackets: 0,
  droppedPackets: 0,
  waitingPackets: 0,
  unseenPackets: 0,
  repeatedPackets: 0,
  differingRecords: 0,
  queuePackets: 0,
  holds: true,
};

test('an empty log adds up', () => {
  assert.deepEqual(conservation(), nothing);
});

test('only what is dropped out of the queue was in it', () => {
  assert.deepEqual(
    conservation(
      { event: drop, reason: randomLoss, packet: 1 },
      { event: drop, reason: overflow, packet: 3 },
      { event: enqueue, packet: 4, queuePackets: 1 },
      { event: drop, reason: aqm, packet: 4, sojournNs: 9 },
      { event: drop, reason: other, packet: 5 },
      { event: enqueue, packet: 6, queuePackets: 1 },
      { event: mark, packet: 6, queuePackets: 0 },
      { event: dequeue, packet: 6, queuePackets: 0, sojournNs: 1 },
    ),
    { ...nothing, enqueuedPackets: 2, dequeuedPackets: 1, droppedPackets: 1 },
  );
});

test('what waits at the end is what the queue says', () => {
  const [first, second] = [
    { event: enqueue, packet: 1, queuePackets: 1 },
    { event: enqueue, packet: 2, timeNs: 1, queuePackets: 2 },
  ];
  const two = { ...nothing, enqueuedPackets: 2, waitingPackets: 2 };
  assert.deepEqual(conservation(first, second), { ...two, queuePackets: 2 });
  assert.deepEqual(conservation(first, { ...second, queuePackets: 3 }), {
    ...two,
    queuePackets: 3,
    differingRecords: 1,
    holds: false,
  });
});

test('a packet whose enqueue is missing is noticed', () => {
  assert.deepEqual(
    conservation(
      { event: dequeue, packet: 9, queuePackets: 0 },
      { event: enqueue, packet: 1, queuePackets: 1 },
      { event: dequeue, packet: 1, queuePackets: 0 },
    ),
    { ...nothing, enqueuedPackets: 1, dequeuedPackets: 1, unseenPackets: 1, holds: false },
  );
});

test('a packet that comes twice is noticed', () => {
  const packet = { event: enqueue, packet: 1, queuePackets: 1 };
  assert.deepEqual(conservation(packet, packet), {
    ...nothing,
    enqueuedPackets: 2,
    waitingPackets: 1,
    repeatedPackets: 1,
    queuePackets: 1,
    holds: false,
  });
});

test('an enqueue that is reported late is none that is missing', () => {
  const { differingRecords: _, ...counts } = conservation(
    { event: enqueue, packet: 1, timeNs: 0, queuePackets: 1 },
    { event: enqueue, packet: 2, timeNs: 90, queuePackets: 2 },
    { event: enqueue, packet: 3, timeNs: 50, queuePackets: 9 },
    { event: dequeue, packet: 3, timeNs: 90, queuePackets: 2, sojournNs: 40 },
  );
  const { differingRecords: __, ...expected } = nothing;
  assert.deepEqual(counts, {
    ...expected,
    enqueuedPackets: 3,
    dequeuedPackets: 1,
    waitingPackets: 2,
    queuePackets: 2,
  });
});
