import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AckedBitrate, type AckedPacket } from '../../../../../server/congestion/gcc/acked-bitrate.ts';
import { near } from './near.ts';

/** Returns `count` packets of 1000 bytes with these gaps at sender and receiver. */
function packets(
  count: number,
  sendGapMs: number,
  receiveGapMs: number,
  from = { sentMs: 0, receivedMs: 100 },
): AckedPacket[] {
  return Array.from({ length: count }, (_, i) => ({
    sentMs: from.sentMs + i * sendGapMs,
    receivedMs: from.receivedMs + i * receiveGapMs,
    sizeBytes: 1000,
  }));
}

test('ten packets are needed', () => {
  const acked = new AckedBitrate();
  acked.add(packets(9, 10, 10));
  assert.equal(acked.rateBps, undefined);
  acked.add(packets(1, 0, 0, { sentMs: 90, receivedMs: 190 }));
  // Nine packets' bytes in nine gaps.
  near(acked.rateBps, (9 * 8000) / 0.09);
});

test('the rate is the smaller of sending and receiving rate', () => {
  const slowReceiver = new AckedBitrate();
  slowReceiver.add(packets(11, 10, 20));
  near(slowReceiver.rateBps, (10 * 8000) / 0.2);
  const slowSender = new AckedBitrate();
  slowSender.add(packets(11, 20, 10));
  near(slowSender.rateBps, (10 * 8000) / 0.2);
});

test("the first packet's bytes do not count as received, the last one's not as sent", () => {
  const acked = new AckedBitrate();
  const sizes = [5000, ...Array<number>(10).fill(1000), 3000];
  acked.add(packets(12, 10, 20).map((packet, i) => ({ ...packet, sizeBytes: sizes[i]! })));
  // Received 13000 bytes in 220 ms = 473 kbit/s; sent 15000 bytes in 110 ms.
  near(acked.rateBps, (13000 * 8) / 0.22);
});

test('the longest pause counts as the second longest', () => {
  const acked = new AckedBitrate();
  acked.add([...packets(10, 10, 20), ...packets(10, 10, 20, { sentMs: 100, receivedMs: 780 })]);
  // 18 gaps of 20 ms, one of 780 - 280 = 500 ms that counts as 20 ms.
  near(acked.rateBps, (19 * 8000) / (19 * 0.02));
});

test('the window keeps more than a second as long as it holds 20 packets', () => {
  const acked = new AckedBitrate();
  acked.add(packets(20, 200, 200));
  near(acked.rateBps, 8000 / 0.2);
  // 20 further packets at twice the pace push the slow ones out: 20 remain, since 21 would span more than a second.
  acked.add(packets(20, 100, 100, { sentMs: 4000, receivedMs: 4100 }));
  near(acked.rateBps, 8000 / 0.1);
});

test('the window keeps more than 20 packets as long as they are within a second', () => {
  const acked = new AckedBitrate();
  // 100 packets of 1000 bytes in 990 ms, then one of 9000 bytes 10 ms later.
  acked.add(packets(100, 10, 10));
  acked.add([{ sentMs: 1000, receivedMs: 1100, sizeBytes: 9000 }]);
  near(acked.rateBps, (100 * 8000) / 1, "101 packets in 1000 ms: the last one's bytes do not count as sent");
  acked.add([{ sentMs: 1010, receivedMs: 1110, sizeBytes: 1000 }]);
  near(acked.rateBps, ((99 * 1000 + 9000) * 8) / 1, 'the first is 1010 ms old and has left');
});

test('the window is never more than 500 packets', () => {
  const acked = new AckedBitrate();
  // 500 packets in 499 ms. The 100 packets before them, ten times as large, do not count.
  acked.add(packets(100, 1, 1).map(packet => ({ ...packet, sizeBytes: 10000 })));
  acked.add(packets(500, 1, 1, { sentMs: 100, receivedMs: 200 }));
  near(acked.rateBps, 8e6);
});

test('the window is never longer than 5 s', () => {
  const acked = new AckedBitrate();
  acked.add(packets(20, 600, 600));
  // 5 s hold nine packets, fewer than the ten needed.
  assert.equal(acked.rateBps, undefined);
});

test('packets overtaken by discarded ones do not count as sent', () => {
  const acked = new AckedBitrate();
  acked.add(packets(20, 10, 10, { sentMs: 1000, receivedMs: 0 }));
  // Old packets, sent 20 s before and received 30 ms apart, then twenty new ones.
  acked.add(packets(2, 10, 30, { sentMs: -20000, receivedMs: 1180 }));
  acked.add(packets(20, 60, 60, { sentMs: 1300, receivedMs: 1240 }));
  // With the old packets the sending rate would be about 8 kbit/s.
  assert.ok(acked.rateBps! > 100e3);
});

test('arrivals in wrong order are sorted; more than 1 s late starts anew', () => {
  const acked = new AckedBitrate();
  const [first, ...rest] = packets(12, 10, 10);
  acked.add([...rest, first!]);
  near(acked.rateBps, (11 * 8000) / 0.11);
  acked.add([{ sentMs: 130, receivedMs: 210 - 1001, sizeBytes: 1000 }]);
  assert.equal(acked.rateBps, undefined);
});
