import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressNumber, QueueLog } from '../../../../shaper/queue-log/format.ts';
import { MediaFates } from '../../../../shaper/queue-log/media-fates.ts';
import { dequeue, drop, enqueue, type Fields, logBytes, mark } from '../support/queue-log-bytes.ts';

const ms = 1_000_000;
const [overflow, randomLoss, aqm] = [1, 2, 3];

/** UDP length and checksum, then version, payload type and sequence number of RTP. */
const rtp = (type: number, sequence: number) =>
  `04c4beef80${type.toString(16).padStart(2, '0')}${sequence.toString(16).padStart(4, '0')}`;

function fatesOf(...records: Fields[]) {
  const media = new MediaFates(addressNumber('10.0.1.2'), 5000);
  for (const record of QueueLog.fromBytes(logBytes(...records))) media.add(record);
  return media.lines;
}

test('every RTP packet of the sender: when it came, how long it stayed, what it met, why it was dropped', () => {
  const lines = fatesOf(
    { event: enqueue, packet: 1, timeNs: 1000 * ms, queuePackets: 4, transport: rtp(102, 65_535), service: 1 },
    { event: drop, packet: 2, timeNs: 1001 * ms, reason: randomLoss, queuePackets: 4, transport: rtp(102, 0) },
    // with the marker bit
    { event: enqueue, packet: 3, timeNs: 1002.5 * ms, queuePackets: 5, transport: rtp(0x80 | 103, 7) },
    { event: mark, packet: 1, timeNs: 1003 * ms, transport: rtp(102, 65_535), service: 1 },
    {
      event: dequeue,
      packet: 1,
      timeNs: 1012.3456 * ms,
      sojournNs: 12.3456 * ms,
      transport: rtp(102, 65_535),
      service: 3,
    },
    { event: drop, packet: 3, timeNs: 1020 * ms, sojournNs: 17.5 * ms, reason: aqm, transport: rtp(103, 7) },
    { event: drop, packet: 4, timeNs: 1021 * ms, reason: overflow, queuePackets: 9, transport: rtp(102, 1) },
    { event: enqueue, packet: 5, timeNs: 1022 * ms, queuePackets: 1, transport: rtp(102, 2) },
  );
  assert.deepEqual(lines, [
    {
      timeMs: 6000,
      payloadTypes: [102, 102, 103, 102, 102],
      sequences: [65_535, 0, 7, 1, 2],
      offeredMs: [0, 1, 2.5, 21, 22],
      sojournMs: [12.346, 0, 17.5, 0, null],
      queuePackets: [3, 4, 4, 9, 0],
      dropped: [
        { index: 1, reason: 'random-loss' },
        { index: 2, reason: 'aqm' },
        { index: 3, reason: 'overflow' },
      ],
      ecn: [1, 0, 0, 0, 0],
      marked: [0],
    },
  ]);
});

test('a queue that marks on arrival reports the mark first, with the field before it', () => {
  const [line] = fatesOf(
    { event: mark, packet: 1, timeNs: 1000 * ms, transport: rtp(102, 1), service: 2 },
    { event: enqueue, packet: 1, timeNs: 1000 * ms, queuePackets: 1, transport: rtp(102, 1), service: 3 },
    { event: enqueue, packet: 2, timeNs: 1001 * ms, queuePackets: 2, transport: rtp(102, 2), service: 2 },
  );
  assert.deepEqual([line!.ecn, line!.marked], [[2, 2], [0]]);
});

test("a loss behind the queue is the packet's that has just left", () => {
  const [line] = fatesOf(
    { event: enqueue, packet: 1, timeNs: 1000 * ms, queuePackets: 1, transport: rtp(102, 1) },
    { event: dequeue, packet: 1, timeNs: 1004 * ms, sojournNs: 4 * ms, transport: rtp(102, 1) },
    { event: drop, packet: 1, timeNs: 1004 * ms, reason: randomLoss, transport: rtp(102, 1) },
  );
  assert.deepEqual([line!.sojournMs, line!.dropped], [[4], [{ index: 0, reason: 'random-loss' }]]);
});

test("others' packets and what is no RTP are left out", () => {
  const one: Fields = { event: enqueue, packet: 1, timeNs: 1000 * ms };
  assert.deepEqual(
    fatesOf(
      { ...one, transport: rtp(102, 1), source: '10.0.3.2' },
      { ...one, transport: rtp(102, 1), protocol: 6 },
      one,
      { ...one, transport: rtp(200, 1) },
      { ...one, transport: rtp(72, 1) },
      { ...one, transport: '04c4beef16fefd00' },
      { ...one, transport: '04c4beef00010050' }, // DTLS, STUN
      { event: dequeue, packet: 8, timeNs: 1000 * ms, transport: rtp(102, 1) }, // enqueued before the log began
    ),
    [],
  );
});

test('a line holds a thousand packets', () => {
  const lines = fatesOf(
    ...Array.from(
      { length: 2001 },
      (_, i): Fields => ({ event: enqueue, packet: i, timeNs: (1000 + i) * ms, transport: rtp(102, i) }),
    ),
  );
  assert.deepEqual(
    lines.map(({ timeMs, sequences }) => [timeMs, sequences.length]),
    [
      [6000, 1000],
      [7000, 1000],
      [8000, 1],
    ],
  );
});
