import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf, queueSides } from '../../../../harness/pairs/queue-sides.ts';
import type { QueueRecord } from '../../../../shaper/queue-log/format.ts';

const [first, second, stranger] = [0x0a000102, 0x0a000302, 0x0a000501];
const [tcp, udp] = [6, 17];

function record(timeMs: number, source: number, change: Partial<QueueRecord> = {}): QueueRecord {
  return {
    timeNs: timeMs * 1e6, packet: 1, event: 'dequeue', direction: 'down', reason: undefined, reasonCode: 0, sojournNs: 10e6, source, destination: source === second ? 0x0a000203 : 0x0a000202, sourcePort: 1, destinationPort: 2, protocol: tcp,
    lengthBytes: 1514, queuePackets: 0, queueBytes: 0, transportFirst: 0, transportSecond: 0, ...change,
  };
}

const clients = [0x0a000202, 0x0a000203] as const;
const options = { keys: [{ client: clients[0], network: networkOf('10.0.1.2') }, { client: clients[1], network: networkOf('10.0.3.2') }], unixOffsetMs: 1000, fromMs: 1000, toMs: 2000, lateMs: 140 };

test('each side has what its network sent, from whatever address there; strangers have no side', () => {
  const { sides } = queueSides([record(0, first), record(1, first + 20), record(2, second), record(3, stranger)], options);
  assert.deepEqual(sides.map(({ sentPackets, sentBytes }) => [sentPackets, sentBytes]), [[2, 3028], [1, 1514]]);
});

test('from the Internet anybody sends to a client, and it is that side\'s', () => {
  const live = { ...options, keys: [options.keys[0]!, { client: clients[1], network: null }] };
  const toSecond = { destination: clients[1] };
  const { sides } = queueSides([record(0, first), record(1, stranger, toSecond), record(2, second + 7, toSecond), record(3, stranger), record(4, first, toSecond)], live);
  assert.deepEqual(sides.map(({ sentPackets }) => sentPackets), [1, 3]);
});

test('a side is one of its own client: what its server sends to the other client is nobody\'s', () => {
  const { sides } = queueSides([record(0, first, { destination: clients[1] })], options);
  assert.deepEqual(sides.map(({ sentPackets }) => sentPackets), [0, 0]);
});

test('the window begins with its first moment and ends before its last', () => {
  const { sides } = queueSides([record(-0.1, first), record(0, first), record(999.9, first), record(1000, first)], options);
  assert.equal(sides[0]!.sentPackets, 2);
});

test('time in the queue is that of packets that left it; the mean is over packets', () => {
  const { sides: [side] } = queueSides([10, 20, 60].map((delayMs, k) => record(k, first, { sojournNs: delayMs * 1e6 })), options);
  assert.deepEqual(side!.delay, { meanMs: 30, p50Ms: 20, p95Ms: 56, maxMs: 60 });
  assert.equal(queueSides([], options).sides[0]!.delay, null);
});

test('drops are told by their reason; packets that only came in count nowhere', () => {
  const { sides } = queueSides([
    record(0, second, { event: 'drop', reason: 'overflow' }), record(1, second, { event: 'drop', reason: 'overflow' }), record(2, second, { event: 'drop', reason: 'random-loss' }), record(3, second, { event: 'enqueue' }),
  ], options);
  assert.deepEqual(sides[1]!.droppedPackets, { 'overflow': 2, 'random-loss': 1, 'aqm': 0, 'other': 0 });
  assert.equal(sides[1]!.sentPackets, 0);
});

test('late is what waited longer than the limit, of media alone', () => {
  const wait = (ms: number, protocol: number) => record(0, first, { sojournNs: ms * 1e6, protocol });
  const { sides: [side] } = queueSides([wait(140, udp), wait(140.1, udp), wait(200, tcp)], options);
  assert.deepEqual([side!.udpPackets, side!.lateUdpPackets], [2, 1]);
});

test('stretches of 100 ms, in order of time', () => {
  const { bins } = queueSides([record(250, first), record(20, second, { sojournNs: 30e6 }), record(210, first, { event: 'drop', reason: 'overflow' })], options);
  assert.deepEqual(bins, [
    { timeMs: 1050, side: 1, sentBytes: 1514, droppedPackets: 0, delayMeanMs: 30 }, { timeMs: 1250, side: 0, sentBytes: 1514, droppedPackets: 1, delayMeanMs: 10 },
  ]);
});
