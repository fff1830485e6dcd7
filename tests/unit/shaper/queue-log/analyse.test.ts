import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseQueueLog } from '../../../../shaper/queue-log/analyse.ts';
import type { AnalysisOptions } from '../../../../shaper/queue-log/analyse.ts';
import { QueueLog } from '../../../../shaper/queue-log/format.ts';
import type { Fields } from '../support/queue-log-bytes.ts';
import { dequeue, drop, enqueue, logBytes, mark } from '../support/queue-log-bytes.ts';

const ms = 1_000_000;
const [overflow, randomLoss, aqm, other] = [1, 2, 3, 4];
const analyse = (records: Fields[], options?: AnalysisOptions) =>
  analyseQueueLog(QueueLog.fromBytes(logBytes(...records)), options);
const nothing = { packets: 0, bytes: 0 };

/** A packet that goes through an empty queue. */
const through = (packet: number, fromMs: number, sojournMs: number, more: Partial<Fields> = {}): Fields[] => [
  { ...more, event: enqueue, packet, timeNs: fromMs * ms, queuePackets: 1, queueBytes: 1514 },
  {
    ...more,
    event: dequeue,
    packet,
    timeNs: (fromMs + sojournMs) * ms,
    sojournNs: sojournMs * ms,
    queuePackets: 0,
    queueBytes: 0,
  },
];

test('nothing comes of nothing', () => {
  const { flows, total, occupancy, conservation, records, fromNs, toNs } = analyse([]);
  assert.deepEqual(
    { flows, occupancy, records, fromNs, toNs },
    { flows: [], occupancy: [], records: 0, fromNs: 0, toNs: 0 },
  );
  assert.deepEqual(total, {
    enqueued: nothing,
    dequeued: nothing,
    marked: nothing,
    dropped: { overflow: nothing, 'random-loss': nothing, aqm: nothing, other: nothing },
    delay: undefined,
  });
  assert.equal(conservation.holds, true);
});

test('delays are percentiles of what left, in ms, flow by flow', () => {
  const records = Array.from({ length: 101 }, (_, i) => through(i, i * 1000, i + 1, { sourcePort: 4000 })).flat();
  const { flows, total, conservation } = analyse([...records, ...through(500, 200_000, 7, { sourcePort: 4001 })]);
  assert.deepEqual(
    flows.map(({ flow, delay }) => [flow.sourcePort, delay]),
    [
      [4000, { p5Ms: 6, p50Ms: 51, p95Ms: 96, p99Ms: 100, maxMs: 101 }],
      [4001, { p5Ms: 7, p50Ms: 7, p95Ms: 7, p99Ms: 7, maxMs: 7 }],
    ],
  );
  assert.deepEqual(flows[0]!.flow, {
    source: 0x0a000102,
    destination: 0x0a000202,
    sourcePort: 4000,
    destinationPort: 0,
    protocol: 17,
  });
  assert.equal(total.dequeued.packets, 102);
  assert.equal(total.delay!.maxMs, 101);
  assert.equal(conservation.holds, true);
});

test('the flow that took most is the first', () => {
  const { flows } = analyse([
    ...through(1, 0, 1, { sourcePort: 1 }),
    ...through(2, 5, 1, { sourcePort: 2 }),
    ...through(3, 9, 1, { sourcePort: 2 }),
  ]);
  assert.deepEqual(
    flows.map(({ flow }) => flow.sourcePort),
    [2, 1],
  );
});

test('drops are told apart by reason, in packets and bytes', () => {
  const { total, conservation } = analyse([
    { event: drop, reason: randomLoss, packet: 1, length: 100 },
    { event: drop, reason: randomLoss, packet: 2, length: 200 },
    { event: drop, reason: overflow, packet: 3 },
    { event: enqueue, packet: 4, queuePackets: 1 },
    { event: drop, reason: aqm, packet: 4, sojournNs: 9 * ms },
    { event: drop, reason: other, packet: 5, length: 60 },
    { event: enqueue, packet: 6, queuePackets: 1 },
    { event: mark, packet: 6, queuePackets: 0 },
    { event: dequeue, packet: 6, queuePackets: 0, sojournNs: 1 },
  ]);
  assert.deepEqual(total.dropped, {
    overflow: { packets: 1, bytes: 1514 },
    'random-loss': { packets: 2, bytes: 300 },
    aqm: { packets: 1, bytes: 1514 },
    other: { packets: 1, bytes: 60 },
  });
  assert.deepEqual([total.enqueued.packets, total.dequeued.packets, total.marked.packets], [2, 1, 1]);
  assert.deepEqual(
    [
      conservation.enqueuedPackets,
      conservation.dequeuedPackets,
      conservation.droppedPackets,
      conservation.waitingPackets,
    ],
    [2, 1, 1, 0],
  );
  assert.equal(conservation.holds, true);
});

test('what waits at the end is what the queue says', () => {
  const [first, second] = [
    { event: enqueue, packet: 1, queuePackets: 1 },
    { event: enqueue, packet: 2, timeNs: 1, queuePackets: 2 },
  ];
  const sound = analyse([first, second]).conservation;
  assert.deepEqual([sound.waitingPackets, sound.queuePackets, sound.differingRecords, sound.holds], [2, 2, 0, true]);
  const missing = analyse([first, { ...second, queuePackets: 3 }]).conservation;
  assert.deepEqual(
    [missing.waitingPackets, missing.queuePackets, missing.differingRecords, missing.holds],
    [2, 3, 1, false],
  );
});

test('a packet whose enqueue is missing is noticed, and its delay is not believed', () => {
  const { conservation, total } = analyse([{ event: dequeue, packet: 9, queuePackets: 0 }, ...through(1, 1, 5)]);
  assert.deepEqual([conservation.unseenPackets, conservation.dequeuedPackets, conservation.holds], [1, 1, false]);
  assert.deepEqual([total.dequeued.packets, total.delay!.p5Ms], [2, 5]);
});

test('a packet that comes twice is noticed', () => {
  const { conservation } = analyse([
    { event: enqueue, packet: 1, queuePackets: 1 },
    { event: enqueue, packet: 1, queuePackets: 1 },
  ]);
  assert.deepEqual([conservation.repeatedPackets, conservation.holds], [1, false]);
});

test('how full the queue was: means over time, and greatest values, bin by bin', () => {
  const at = (timeMs: number, queuePackets: number, event = enqueue, packet = timeMs) => ({
    event,
    packet,
    timeNs: timeMs * ms,
    queuePackets,
    queueBytes: queuePackets * 100,
  });
  const { occupancy } = analyse([at(1000, 1), at(1025, 2), at(1075, 3), at(1100, 4), at(1420, 0, dequeue)], {
    binMs: 100,
  });
  assert.deepEqual(occupancy, [
    { fromNs: 1000 * ms, meanPackets: 2, meanBytes: 200, maxPackets: 3, maxBytes: 300 }, // 25 ms of 1, 50 of 2, 25 of 3
    ...[1100, 1200, 1300, 1400].map(fromMs => ({
      fromNs: fromMs * ms,
      meanPackets: 4,
      meanBytes: 400,
      maxPackets: 4,
      maxBytes: 400,
    })),
  ]);
});

test('an enqueue that is reported late changes nothing of how full it was', () => {
  const records: Fields[] = [
    { event: enqueue, packet: 1, timeNs: 0, queuePackets: 1 },
    { event: enqueue, packet: 2, timeNs: 90 * ms, queuePackets: 2 },
    { event: enqueue, packet: 3, timeNs: 50 * ms, queuePackets: 9 },
    { event: dequeue, packet: 3, timeNs: 90 * ms, queuePackets: 2, sojournNs: 40 * ms },
  ];
  const { occupancy, total, conservation } = analyse(records);
  assert.deepEqual(occupancy, [{ fromNs: 0, meanPackets: 1, meanBytes: 0, maxPackets: 2, maxBytes: 0 }]);
  assert.equal(total.delay!.maxMs, 40);
  assert.equal(conservation.holds, true);
});

test('only a window is counted; conservation is over everything', () => {
  const { total, records, fromNs, toNs, conservation } = analyse(
    [...through(1, 0, 5), ...through(2, 100, 6), ...through(3, 200, 7)],
    { fromNs: 100 * ms, toNs: 200 * ms },
  );
  assert.deepEqual(
    { records, fromNs, toNs, delay: total.delay!.maxMs },
    { records: 2, fromNs: 100 * ms, toNs: 106 * ms, delay: 6 },
  );
  assert.equal(conservation.enqueuedPackets, 3);
});

test('a time that cannot be is refused, not waited for', () => {
  assert.throws(
    () =>
      analyse([
        { event: enqueue, timeNs: 1 },
        { event: enqueue, packet: 1, timeNs: 2n ** 63n },
      ]),
    { code: 'bad-run-folder' },
  );
});
