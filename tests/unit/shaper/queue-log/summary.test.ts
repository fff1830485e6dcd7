import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import { digestQueueLog } from '../../../../shaper/queue-log/digest.ts';
import { QueueLog } from '../../../../shaper/queue-log/format.ts';
import { summariseQueue } from '../../../../shaper/queue-log/summary.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { dequeue, drop, enqueue, type Fields, logBytes, mark } from '../support/queue-log-bytes.ts';

const ms = 1_000_000;
const [overflow, randomLoss] = [1, 2];
const [udp, tcp] = [17, 6];
const parties = [
  { server: '10.0.1.2', client: '10.0.2.2' },
  { server: '10.0.3.2', client: '10.0.2.3' },
];
// 1000 to 2000 ms on the log's clock
const window = { parties, lateMs: 15, unixOffsetMs: 5000, fromMs: 6000, toMs: 7000 };
const summarise = (...records: Fields[]) => summariseQueue(QueueLog.fromBytes(logBytes(...records)), window);
const left = (timeMs: number, sojournMs: number, more: Partial<Fields> = {}): Fields => ({
  event: dequeue,
  packet: 1,
  timeNs: timeMs * ms,
  sojournNs: sojournMs * ms,
  ...more,
});

test('each party and protocol for itself, over the window', () => {
  const { traffic } = summarise(
    left(1100, 4, { protocol: udp, length: 100 }),
    left(1200, 6, { protocol: udp, length: 300 }),
    left(1300, 20, { protocol: tcp, source: '10.0.3.2', destination: '10.0.2.3' }),
    {
      event: drop,
      reason: overflow,
      packet: 9,
      timeNs: 1400 * ms,
      protocol: tcp,
      source: '10.0.3.2',
      destination: '10.0.2.3',
    },
    { event: drop, reason: randomLoss, packet: 10, timeNs: 1400 * ms, protocol: udp },
    { event: mark, packet: 11, timeNs: 1500 * ms, protocol: udp },
    { event: enqueue, packet: 12, timeNs: 1500 * ms, protocol: udp },
  );
  const none = { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 };
  assert.deepEqual(traffic, [
    {
      party: 0,
      protocol: udp,
      sentPackets: 2,
      sentBytes: 400,
      markedPackets: 1,
      droppedPackets: { ...none, 'random-loss': 1 },
      latePackets: 0,
      delay: { meanMs: 5, p5Ms: 4.1, p50Ms: 5, p95Ms: 5.9, p99Ms: 5.98, maxMs: 6 },
    },
    {
      party: 1,
      protocol: tcp,
      sentPackets: 1,
      sentBytes: 1514,
      markedPackets: 0,
      droppedPackets: { ...none, overflow: 1 },
      latePackets: 1,
      delay: { meanMs: 20, p5Ms: 20, p50Ms: 20, p95Ms: 20, p99Ms: 20, maxMs: 20 },
    },
  ]);
});

test('the first and the last packet of a party count by when they came, over the whole log', () => {
  const other = { source: '10.0.3.2', destination: '10.0.2.3' };
  const { spans } = summarise(
    { event: enqueue, packet: 1, timeNs: 300 * ms },
    left(350, 50),
    left(2600, 200), // enqueued at 2400 ms, followed by a packet in the other direction
    { event: enqueue, packet: 3, timeNs: 2450 * ms, source: '10.0.2.2', destination: '10.0.1.2' },
    left(1500, 10, { source: '10.0.5.1', destination: '10.0.9.9' }),
    left(100, 10, { protocol: 1 }),
  );
  assert.deepEqual(spans, [{ firstMs: 5300, lastMs: 7450 }, null]);
  assert.deepEqual(summarise({ event: drop, reason: overflow, packet: 1, timeNs: 10 * ms, ...other }).spans, [
    null,
    { firstMs: 5010, lastMs: 5010 },
  ]);
});

test("a party has what its server's network and its client send each other, from whatever address there; strangers are of none", () => {
  const { traffic } = summarise(
    left(1100, 1),
    left(1100, 1, { source: '10.0.1.20' }),
    left(1100, 1, { source: '10.0.2.2', destination: '10.0.1.2' }),
    left(1100, 1, { source: '10.0.1.2', destination: '10.0.2.3' }),
    left(1100, 1, { source: '10.0.5.1' }),
  );
  assert.deepEqual(
    traffic.map(({ party, sentPackets }) => [party, sentPackets]),
    [
      [0, 3],
      [-1, 2],
    ],
  );
});

test('a party may have several clients', () => {
  const several = { ...window, parties: [{ ...parties[0]!, furtherClients: ['10.0.2.4'] }, parties[1]!] };
  const log = logBytes(
    left(1100, 1),
    left(1100, 1, { destination: '10.0.2.4' }),
    left(1100, 1, { source: '10.0.2.4', destination: '10.0.1.2' }),
    left(1100, 1, { destination: '10.0.2.3' }),
  );
  assert.deepEqual(
    summariseQueue(QueueLog.fromBytes(log), several).traffic.map(({ party, sentPackets }) => [party, sentPackets]),
    [
      [0, 3],
      [-1, 1],
    ],
  );
});

test("from the Internet anybody sends to a client, and it is that party's", () => {
  const open = { ...window, parties: [parties[0]!, { server: null, client: '10.0.2.3' }] };
  const { traffic } = summariseQueue(
    QueueLog.fromBytes(
      logBytes(
        left(1100, 1),
        left(1100, 1, { source: '203.0.113.7', destination: '10.0.2.3' }),
        left(1100, 1, { source: '10.0.1.2', destination: '10.0.2.3' }),
      ),
    ),
    open,
  );
  assert.deepEqual(
    traffic.map(({ party, sentPackets }) => [party, sentPackets]),
    [
      [0, 1],
      [1, 2],
    ],
  );
});

test('late is what waited longer than the limit', () => {
  const { traffic } = summarise(left(1100, 15), left(1200, 15.1), left(1300, 200));
  assert.equal(traffic[0]!.latePackets, 2);
});

test('each flow for itself, of protocols that have ports', () => {
  const { flows, traffic } = summarise(
    left(1100, 4, { protocol: tcp, sourcePort: 4000, destinationPort: 5201 }),
    left(1200, 8, { protocol: tcp, sourcePort: 4001, destinationPort: 5201 }),
    {
      event: drop,
      reason: overflow,
      packet: 9,
      timeNs: 1400 * ms,
      protocol: tcp,
      sourcePort: 4001,
      destinationPort: 5201,
    },
    left(1500, 1, { protocol: 1, sourcePort: 0, destinationPort: 0 }),
  );
  assert.deepEqual(
    flows.map(({ sourcePort, destinationPort, sentPackets, droppedPackets, delay }) => [
      sourcePort,
      destinationPort,
      sentPackets,
      droppedPackets.overflow,
      delay!.p50Ms,
    ]),
    [
      [4000, 5201, 1, 0, 4],
      [4001, 5201, 1, 1, 8],
    ],
  );
  assert.deepEqual(
    traffic.map(({ protocol, sentPackets }) => [protocol, sentPackets]),
    [
      [tcp, 2],
      [1, 1],
    ],
  );
});

test('what lies outside the window does not count', () => {
  const { spans: _, ...counted } = summarise(left(999, 5), left(2000, 5));
  assert.deepEqual(counted, { traffic: [], flows: [], bins: [] });
  assert.equal(summarise(left(1000, 5), left(1999, 5)).traffic[0]!.sentPackets, 2);
});

test('stretches of 100 ms, in the order of time; one in which nothing left has no delay', () => {
  const { bins } = summarise(left(1250, 9), left(1010, 3), left(1090, 5), {
    event: drop,
    reason: overflow,
    packet: 3,
    timeNs: 1900 * ms,
  });
  assert.deepEqual(
    bins.map(({ timeMs, sentPackets, delayMedianMs, delayMaxMs }) => [timeMs, sentPackets, delayMedianMs, delayMaxMs]),
    [
      [6050, 2, 4, 5],
      [6250, 1, 9, 9],
      [6950, 0, null, null],
    ],
  );
});

test('a file is digested on another thread, conservation and all', async () => {
  const file = join(temporaryFolder(), 'queue.log');
  writeFileSync(
    file,
    logBytes({ event: enqueue, packet: 1, timeNs: 1000 * ms, queuePackets: 1 }, left(1100, 100, { queuePackets: 0 }), {
      event: enqueue,
      packet: 2,
      timeNs: 3000 * ms,
      queuePackets: 1,
    }),
  );
  const {
    queues: [queue],
  } = await digestQueueLog({ file, ...window, bottlenecks: { down: plainLink(40e6, { unit: 'packets', value: 9 }) } });
  const { traffic, conservation } = queue!;
  assert.deepEqual(
    traffic.map(({ sentPackets, delay }) => [sentPackets, delay!.p50Ms]),
    [[1, 100]],
  );
  assert.deepEqual(
    [conservation.enqueuedPackets, conservation.dequeuedPackets, conservation.waitingPackets, conservation.holds],
    [2, 1, 1, true],
  );
});

test('a file that is none is refused', async () => {
  const file = join(temporaryFolder(), 'other');
  writeFileSync(file, 'something else entirely, and longer than any header would ever have to be to be read');
  await assert.rejects(
    digestQueueLog({ file, ...window, bottlenecks: { down: plainLink(40e6, { unit: 'packets', value: 9 }) } }),
    {
      code: 'link-refused',
      message: /the queue log cannot be read: .*does not begin as one/,
    },
  );
});
