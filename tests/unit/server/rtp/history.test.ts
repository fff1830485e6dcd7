import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PacketHistory, retransmissionPayload, type StoredPacket } from '../../../../server/rtp/history.ts';

const payload = Buffer.from([1, 2, 3]);

function history(keepMs = 3000) {
  const packets = new PacketHistory(keepMs);
  return {
    packets,
    store: (sequence: number, nowMs: number) => packets.store(sequence, payload, 90 * nowMs, false, nowMs),
    packet: (sequence: number, rttMs: number, nowMs: number): StoredPacket => {
      const answer = packets.request(sequence, rttMs, nowMs);
      return typeof answer === 'string' ? assert.fail(answer) : answer;
    },
  };
}

test('a packet is handed out as it was', () => {
  const { packets, packet } = history();
  packets.store(7, payload, 12345, true, 100);
  assert.deepEqual(packet(7, 50, 101), {
    sequence: 7,
    payload,
    rtpTimestamp: 12345,
    marker: true,
    sentMs: 100,
    retransmissions: 0,
    queued: true,
  });
  assert.equal(packets.request(8, 50, 101), 'gone');
});

test('while a retransmission is queued, another is refused', () => {
  const { packets, store, packet } = history();
  store(1, 0);
  const first = packet(1, 50, 10);
  assert.equal(packets.request(1, 50, 11), 'queued');
  assert.equal(packets.request(1, 50, 1000), 'queued');
  packets.resent(first, 20);
  assert.equal(first.retransmissions, 1);
});

test('the first copy may follow at once, the next not before a round trip', () => {
  const { packets, store, packet } = history();
  store(1, 0);
  packets.resent(packet(1, 50, 1), 20);
  assert.equal(packets.request(1, 50, 69.9), 'too-soon'); // 20 + 50
  packets.resent(packet(1, 50, 70), 75);
  assert.equal(packets.request(1, 50, 124), 'too-soon'); // 75 + 50
  packet(1, 50, 125);
});

test('packets are kept for as long as they may be asked for, and no longer', () => {
  const { packets, store, packet } = history(2000);
  for (let i = 0; i <= 400; i++) store(i, 10 * i); // until 4000 ms
  assert.equal(packets.size, 201); // packets of 2000 to 4000 ms
  assert.equal(packets.request(199, 50, 4000), 'gone');
  packet(200, 50, 4000);
});

test('a packet that waits to be sent again outlives its time', () => {
  const { packets, store, packet } = history(1000);
  store(1, 0);
  const waiting = packet(1, 50, 900);
  store(2, 5000);
  assert.equal(packets.request(1, 50, 5000), 'queued');
  packets.resent(waiting, 5001);
  store(3, 6002);
  assert.equal(packets.request(1, 50, 6002), 'gone');
});

test('a sequence number that comes again stands for the new packet', () => {
  const { packets, store, packet } = history(1e6);
  for (let i = 0; i < 65536 + 10; i++) store(i & 0xffff, i);
  assert.equal(packets.size, 65536);
  assert.equal(packet(5, 50, 70_000).sentMs, 65536 + 5);
  assert.equal(packet(11, 50, 70_000).sentMs, 11);
});

test('packets are forgotten in order where the numbers wrap, also when all numbers are in use', () => {
  const few = history(100);
  for (let i = 0; i < 300; i++) few.store((65_400 + i) & 0xffff, i);
  assert.equal(few.packets.size, 101);
  assert.equal(few.packets.request((65_400 + 198) & 0xffff, 50, 299), 'gone');
  few.packet((65_400 + 199) & 0xffff, 50, 299);
  const all = history(70_000);
  for (let i = 0; i < 200_000; i++) all.store(i & 0xffff, i);
  assert.equal(all.packets.size, 65536);
  // the packets before 170 000 are too old: 65536 - 30 000 - 1 of them
  all.store(200_000 & 0xffff, 200_000 + 70_000 - 30_000);
  assert.equal(all.packets.size, 30_001);
});

test('the end of an old copy does not free the new packet with its number', () => {
  const { packets, store, packet } = history();
  store(1, 0);
  const old = packet(1, 50, 1);
  store(1, 10);
  packet(1, 50, 11);
  packets.resent(old, 12);
  assert.equal(packets.request(1, 50, 1000), 'queued');
});

test('a retransmission is the original sequence number and the original payload (RFC 4588, section 4)', () => {
  const { store, packet } = history();
  store(0xabcd, 0);
  assert.equal(retransmissionPayload(packet(0xabcd, 50, 1)).toString('hex'), 'abcd010203');
});
