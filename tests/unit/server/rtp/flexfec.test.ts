import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FlexfecEncoder, type ProtectedPacket, repairPayload } from '../../../../server/rtp/flexfec.ts';

const ssrc = 0x1234abcd;

function rtp(sequence: number, timestamp: number, marker: boolean, payload: Uint8Array): ProtectedPacket {
  const bytes = Buffer.alloc(12 + payload.length);
  bytes.writeUInt8(0x90, 0); // version 2, with extensions
  bytes.writeUInt8(marker ? 0x80 | 108 : 108, 1);
  bytes.writeUInt16BE(sequence, 2);
  bytes.writeUInt32BE(timestamp, 4);
  bytes.writeUInt32BE(ssrc, 8);
  bytes.set(payload, 12);
  return { sequence, bytes };
}

/** Returns the sequence numbers that a repair packet covers, read bit by bit as in the draft (section 4.2.2.1). */
function covered(payload: Buffer): { sequences: number[]; headerBytes: number } {
  const base = payload.readUInt16BE(16);
  const sequences: number[] = [];
  let [offset, distance] = [18, 0];
  for (const blockBits of [16, 32, 64]) {
    const bits = [...payload.subarray(offset, offset + blockBits / 8)]
      .map(byte => byte.toString(2).padStart(8, '0'))
      .join('');
    for (const bit of bits.slice(1)) {
      if (bit === '1') sequences.push((base + distance) & 0xffff);
      distance++;
    }
    offset += blockBits / 8;
    if (bits[0] === '1') break;
  }
  return { sequences, headerBytes: offset };
}

/** Returns the missing packet, restored from the others and the repair packet (section 6.3). */
function recover(payload: Buffer, others: readonly ProtectedPacket[], sequence: number): Buffer {
  const { headerBytes } = covered(payload);
  const xor = (at: number, bytes: number, of: (packet: ProtectedPacket) => number) =>
    others.reduce((sum, packet) => sum ^ of(packet), payload.readUIntBE(at, bytes)) >>> 0;
  const bytes = Buffer.alloc(12 + xor(2, 2, packet => packet.bytes.length - 12));
  bytes.writeUInt8(0x80 | (xor(0, 1, packet => packet.bytes[0]!) & 0x3f), 0);
  bytes.writeUInt8(
    xor(1, 1, packet => packet.bytes[1]!),
    1,
  );
  bytes.writeUInt16BE(sequence, 2);
  bytes.writeUInt32BE(
    xor(4, 4, packet => packet.bytes.readUInt32BE(4)),
    4,
  );
  bytes.writeUInt32BE(payload.readUInt32BE(12), 8);
  for (let i = 12; i < bytes.length; i++)
    bytes[i] = others.reduce((sum, packet) => sum ^ (packet.bytes[i] ?? 0), payload[headerBytes + i - 12]!);
  return bytes;
}

test('a repair packet of two packets, byte for byte', () => {
  const payload = repairPayload(ssrc, [
    rtp(100, 0x01020304, false, Buffer.from([0xf0, 0x0f])),
    rtp(103, 0x01020300, true, Buffer.from([0xff])),
  ]);
  assert.equal(
    payload.toString('hex'),
    [
      '00',
      '80',
      '0003',
      '00000004', // both had extensions and the same payload type, one had a marker; lengths 2 and 1
      '01',
      '000000',
      '1234abcd',
      '0064',
      'c800', // last block; packets 0 and 3 after the base
      '0f0f',
    ].join(''),
  );
});

test('masks of one, two and three blocks', () => {
  for (const distances of [[0], [0, 14], [0, 15], [0, 14, 45], [0, 46], [0, 20, 108]]) {
    const packets = distances.map(distance => rtp((65_530 + distance) & 0xffff, 0, false, Buffer.from([distance])));
    const payload = repairPayload(ssrc, packets);
    assert.deepEqual(covered(payload), {
      sequences: packets.map(({ sequence }) => sequence),
      headerBytes: distances.at(-1)! < 15 ? 20 : distances.at(-1)! < 46 ? 24 : 32,
    });
  }
});

test('any one packet comes back from the others', () => {
  const packet = fc.record({
    timestamp: fc.nat(2 ** 32 - 1),
    marker: fc.boolean(),
    payload: fc.uint8Array({ minLength: 1, maxLength: 60 }),
    gap: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.nat(65_535), fc.array(packet, { minLength: 1, maxLength: 30 }), fc.nat(29), (base, given, pick) => {
      let sequence = base;
      const packets = given.map(({ timestamp, marker, payload, gap }) =>
        rtp((sequence += gap) & 0xffff, timestamp, marker, payload),
      );
      const payload = repairPayload(ssrc, packets);
      const lost = packets[pick % packets.length]!;
      assert.deepEqual(
        recover(
          payload,
          packets.filter(other => other !== lost),
          lost.sequence,
        ),
        lost.bytes,
      );
    }),
  );
});

/** Sends `frames` of `packetsEach` packets. Returns the repair packets, and the packet after which each was due. */
function send(
  encoder: FlexfecEncoder,
  frames: number,
  packetsEach: number,
): { afterPackets: number; payload: Buffer }[] {
  const repairs: { afterPackets: number; payload: Buffer }[] = [];
  let sent = 0;
  for (let frame = 0; frame < frames; frame++) {
    for (let i = 0; i < packetsEach; i++) {
      const packet = rtp(sent++ & 0xffff, frame * 1500, i === packetsEach - 1, Buffer.from([i]));
      for (const payload of encoder.add(packet, i === packetsEach - 1)) repairs.push({ afterPackets: sent, payload });
    }
  }
  return repairs;
}

test('the ratio is kept in the long run, and groups end with a frame', () => {
  for (const ratio of [0.03, 0.1, 0.25, 0.5, 1]) {
    const repairs = send(new FlexfecEncoder(ssrc, ratio), 2000, 3);
    assert.ok(Math.abs(repairs.length / 6000 - ratio) < 0.01, `${ratio}: ${repairs.length}`);
    assert.ok(repairs.every(({ afterPackets }) => afterPackets % 3 === 0));
  }
});

test('a group has at most 48 packets, whose repair is interleaved and covers each once', () => {
  const repairs = send(new FlexfecEncoder(ssrc, 0.0625), 1, 96);
  assert.deepEqual(
    repairs.map(({ afterPackets }) => afterPackets),
    [48, 48, 48, 96, 96, 96],
  );
  const groups = repairs.map(({ payload }) => covered(payload).sequences);
  assert.deepEqual(
    groups[1],
    Array.from({ length: 16 }, (_, i) => 1 + 3 * i),
  );
  assert.deepEqual(
    groups.flat().sort((a, b) => a - b),
    Array.from({ length: 96 }, (_, i) => i),
  );
});

test('a small frame waits for others until a repair packet is due', () => {
  assert.deepEqual(
    send(new FlexfecEncoder(ssrc, 0.125), 16, 1).map(({ afterPackets }) => afterPackets),
    [8, 16],
  );
});
