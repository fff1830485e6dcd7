import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueLog } from '../../../../shaper/queue-log/format.ts';
import { QueueMarks } from '../../../../shaper/queue-log/marks.ts';
import { dequeue, drop, enqueue, type Fields, headerBytes, mark, recordBytes } from '../support/queue-log-bytes.ts';

const ms = 1_000_000;
const [overflow, randomLoss, byAqm] = [1, 2, 3];
const [notEct, ect1, ect0, ce] = [0, 1, 2, 3];
const [udp, tcp] = [17, 6];
const parties = [
  { server: '10.0.1.2', client: '10.0.2.2' },
  { server: '10.0.3.2', client: '10.0.2.3' },
];
// 1000 to 2000 ms on the log's clock
const window = { parties, lateMs: 15, unixOffsetMs: 5000, fromMs: 6000, toMs: 7000 };
const second = { source: '10.0.3.2', destination: '10.0.2.3', protocol: tcp };

function marksOf(records: readonly Fields[], hasService = 1) {
  const marks = new QueueMarks(window);
  const bytes = Buffer.concat([headerBytes({ hasService }), ...records.map(recordBytes)]);
  for (const record of QueueLog.fromBytes(bytes)) marks.add(record);
  return marks.read();
}

let packets = 0;
/** A packet that came with one type of service and left with another, `waitMs` later. */
function passed(timeMs: number, waitMs: number, came: number, left: number, more: Partial<Fields> = {}): Fields[] {
  const packet = ++packets;
  const at = (event: number, atMs: number, service: number): Fields => ({
    protocol: udp,
    ...more,
    event,
    packet,
    service,
    timeNs: Math.round(atMs * ms),
    sojournNs: event === dequeue ? Math.round(waitMs * ms) : 0,
  });
  const isMarked = (left & 3) === ce && (came & 3) !== ce;
  return [at(enqueue, timeMs - waitMs, came), ...(isMarked ? [at(mark, timeMs, came)] : []), at(dequeue, timeMs, left)];
}

test('packets count by their ECN field before and after the queue, for each party and protocol', () => {
  const marks = marksOf([
    ...passed(1100, 1, ect1, ect1),
    ...passed(1200, 2, ect1, ce),
    ...passed(1300, 3, ce, ce),
    ...passed(1400, 4, notEct, notEct),
    ...passed(1500, 20, ect0, ce, second),
    ...passed(2500, 1, ect1, ce), // after the window
  ])!;
  assert.deepEqual(
    marks.parties.map(({ dscps: _, ...rest }) => rest),
    [
      {
        party: 0,
        protocol: udp,
        camePackets: { 'not-ect': 1, ect1: 2, ect0: 0, ce: 1 },
        leftPackets: { 'not-ect': 1, ect1: 1, ect0: 0, ce: 2 },
      },
      {
        party: 1,
        protocol: tcp,
        camePackets: { 'not-ect': 0, ect1: 0, ect0: 1, ce: 0 },
        leftPackets: { 'not-ect': 0, ect1: 0, ect0: 0, ce: 1 },
      },
    ],
  );
});

test('the class is that of the field with which a packet came, so a marked packet of ECT(0) is classic traffic', () => {
  const refused = (service: number, reason: number): Fields => ({
    event: drop,
    reason,
    packet: ++packets,
    timeNs: 1600 * ms,
    service,
  });
  const marks = marksOf([
    ...passed(1100, 1, ect1, ect1),
    ...passed(1200, 3, ect1, ce),
    ...passed(1300, 5, ce, ce),
    ...passed(1400, 20, ect0, ce, second),
    ...passed(1500, 40, notEct, notEct, second),
    refused(ect0, overflow),
    refused(ect1, byAqm),
    refused(ect1, randomLoss),
  ])!;
  assert.deepEqual(marks.classes, [
    { class: 'l4s', sentPackets: 3, markedPackets: 1, droppedPackets: 1, delayMedianMs: 3, delayP99Ms: 4.96 },
    { class: 'classic', sentPackets: 2, markedPackets: 1, droppedPackets: 1, delayMedianMs: 30, delayP99Ms: 39.8 },
  ]);
});

test('a queue that marks on arrival reports the mark first', () => {
  const at = (event: number, timeMs: number, service: number, sojournMs = 0): Fields => ({
    event,
    packet: 900,
    service,
    timeNs: timeMs * ms,
    sojournNs: sojournMs * ms,
  });
  const marks = marksOf([at(mark, 1100, ect0), at(enqueue, 1100, ce), at(dequeue, 1105, ce, 5)])!;
  assert.deepEqual(marks.classes, [
    { class: 'classic', sentPackets: 1, markedPackets: 1, droppedPackets: 0, delayMedianMs: 5, delayP99Ms: 5 },
  ]);
  assert.deepEqual(marks.parties[0]!.camePackets, { 'not-ect': 0, ect1: 0, ect0: 1, ce: 0 });
});

test('the DSCP counts apart from the ECN field', () => {
  const marks = marksOf([
    ...passed(1100, 1, (46 << 2) | ect1, (46 << 2) | ce),
    ...passed(1200, 1, 46 << 2, 46 << 2),
    ...passed(1300, 1, 0, 0),
  ])!;
  assert.deepEqual(marks.parties[0]!.dscps, [
    { dscp: 0, packets: 1 },
    { dscp: 46, packets: 2 },
  ]);
});

test('a log without the type of service has no marks', () => {
  assert.equal(marksOf(passed(1100, 1, ect1, ect1), 0), null);
});
