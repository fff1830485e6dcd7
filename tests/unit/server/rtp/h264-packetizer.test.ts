import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VideoEncoder } from '../../../../server/media/encoder.ts';
import { encoderKinds } from '../../../../server/media/encoder-kinds.ts';
import { maxPayloadBytes, packetize, splitAnnexB } from '../../../../server/rtp/h264-packetizer.ts';
import { movingFrames } from '../support/frames.ts';
import { depacketize } from './depacketize.ts';

const hex = (buffers: readonly Buffer[]) => buffers.map(buffer => buffer.toString('hex'));
const stream = (...units: (string | Buffer)[]) =>
  Buffer.concat(units.flatMap(unit => [Buffer.from([0, 0, 0, 1]), Buffer.from(unit as string, 'hex')]));
/** Returns a slice of `bytes` bytes with NRI 3 that contains no start code. */
const slice = (bytes: number, type = 5) =>
  Buffer.from(Uint8Array.from({ length: bytes }, (_, i) => (i === 0 ? 0x60 | type : 1 + (i % 255))));

test('a stream is split at start codes of three and of four bytes', () => {
  assert.deepEqual(hex(splitAnnexB(Buffer.from('000001 6511 00000001 4122 000001 4133'.replaceAll(' ', ''), 'hex'))), [
    '6511',
    '4122',
    '4133',
  ]);
});

test('zero bytes after a unit belong to no unit; those inside stay', () => {
  assert.deepEqual(hex(splitAnnexB(Buffer.from('00000001650000030100000000000141220000', 'hex'))), [
    '6500000301',
    '4122',
  ]);
});

test('bytes before the first start code, empty units and empty streams', () => {
  assert.deepEqual(hex(splitAnnexB(Buffer.from('ffff0000016511', 'hex'))), ['6511']);
  assert.deepEqual(hex(splitAnnexB(Buffer.from('000001000001000000016511000001', 'hex'))), ['6511']);
  for (const bytes of ['', '00', '000001', '00000001', 'ffff'])
    assert.deepEqual(splitAnnexB(Buffer.from(bytes, 'hex')), []);
});

test('a unit that fits is its own payload', () => {
  assert.deepEqual(hex(packetize(stream('65112233', '41aabb'))), ['65112233', '41aabb']);
  assert.deepEqual(packetize(Buffer.alloc(0)), []);
});

test('parameter sets and SEI share a packet, with lengths and the highest NRI', () => {
  // SEI with NRI 0, SPS with NRI 3, PPS with NRI 1: STAP-A (24) with NRI 3
  assert.deepEqual(hex(packetize(stream('0605', '674d0029', '28ee', '651122'))), [
    '78' + '00020605' + '0004674d0029' + '000228ee',
    '651122',
  ]);
  assert.deepEqual(hex(packetize(stream('0605', '28ee'))), ['38' + '00020605' + '000228ee']);
});

test('one parameter set alone needs no aggregate', () => {
  assert.deepEqual(hex(packetize(stream('0605', '651122', '28ee'))), ['0605', '651122', '28ee']);
});

test('access unit delimiters are dropped', () => {
  assert.deepEqual(hex(packetize(stream('09f0', '674d', '28ee', '65aa'))), ['78' + '0002674d' + '000228ee', '65aa']);
  assert.deepEqual(packetize(stream('09f0')), []);
});

test('an aggregate is filled to the last byte and not beyond', () => {
  const [a, b] = [`67${'11'.repeat(9)}`, `68${'22'.repeat(6)}`]; // 1 + 2 + 10 + 2 + 7 = 22
  assert.deepEqual(
    packetize(stream(a, b), 22).map(payload => payload.length),
    [22],
  );
  assert.deepEqual(hex(packetize(stream(a, b), 21)), [a, b]);
});

test('a parameter set too large for an aggregate goes alone, in order', () => {
  const large = `67${'11'.repeat(17)}`; // 18 bytes; in an aggregate 21
  assert.deepEqual(hex(packetize(stream('0605', large, '28ee'), 20)), ['0605', large, '28ee']);
  for (const bytes of [20, 21, 22, 23])
    assert.deepEqual(packetize(stream(slice(bytes, 7)), 20).length, bytes > 20 ? 2 : 1, `${bytes} bytes`);
  const payloads = packetize(stream('0605', `67${'11'.repeat(29)}`), 20);
  assert.deepEqual(hex(depacketize(payloads)), ['0605', `67${'11'.repeat(29)}`]);
  assert.deepEqual(
    payloads.map(payload => payload[0]! & 0x1f),
    [6, 28, 28],
  );
});

test('the limit: a byte less, exactly it, a byte more', () => {
  assert.deepEqual(
    packetize(stream(slice(99)), 100).map(payload => payload.length),
    [99],
  );
  assert.deepEqual(
    packetize(stream(slice(100)), 100).map(payload => payload.length),
    [100],
  );
  // 101 bytes: the first is in both headers, and the other 100 are split in two: 2 + 50
  assert.deepEqual(
    packetize(stream(slice(101)), 100).map(payload => payload.length),
    [52, 52],
  );
});

test('fragments carry NRI, type, start and end', () => {
  // 0x65 = NRI 3, type 5 (IDR): indicator 0x7c, header 0x85, 0x05, 0x45
  const payloads = packetize(stream(slice(31)), 12);
  assert.deepEqual(
    payloads.map(payload => payload.subarray(0, 2).toString('hex')),
    ['7c85', '7c05', '7c45'],
  );
  const twoParts = packetize(stream(Buffer.concat([Buffer.from([0x21]), slice(12)])), 12);
  assert.deepEqual(
    twoParts.map(payload => payload.subarray(0, 2).toString('hex')),
    ['3c81', '3c41'],
  );
});

test('fragments are of equal size, the last perhaps smaller, and no more than needed', () => {
  for (const bytes of [101, 197, 198, 199, 1000, 9999]) {
    const lengths = packetize(stream(slice(bytes)), 100).map(payload => payload.length);
    assert.equal(lengths.length, Math.ceil((bytes - 1) / 98), `${bytes} bytes`);
    assert.equal(new Set(lengths.slice(0, -1)).size, 1);
    assert.ok(lengths.at(-1)! <= lengths[0]! && lengths[0]! <= 100, `${lengths}`);
    assert.ok(lengths[0]! - lengths.at(-1)! < lengths.length, `${lengths}`);
  }
});

test('every size around a multiple of the limit comes back whole', () => {
  for (let bytes = 1; bytes < 500; bytes++) {
    const payloads = packetize(stream('0605', slice(bytes, 1)), 60);
    assert.deepEqual(depacketize(payloads), [Buffer.from('0605', 'hex'), slice(bytes, 1)], `${bytes} bytes`);
    assert.ok(payloads.every(payload => payload.length <= 60));
  }
});

test('what x264 makes comes back whole', async () => {
  const kind = encoderKinds.find(({ codec }) => codec === 'libx264')!;
  const encoder = await VideoEncoder.open(kind, { width: 320, height: 180, frameRate: 60, rateBps: 6e6, threads: 2 });
  const moving = movingFrames(8, 320, 180);
  let fragments = 0;
  let aggregates = 0;
  for (const [number, source] of [...moving, ...moving].entries()) {
    const { data } = (await encoder.encode(source, number % 8 === 0))!;
    for (const maxBytes of [maxPayloadBytes, 200]) {
      const payloads = packetize(data, maxBytes);
      assert.ok(payloads.every(payload => payload.length <= maxBytes));
      const back = Buffer.concat(depacketize(payloads).flatMap(unit => [Buffer.from([0, 0, 1]), unit]));
      assert.deepEqual(splitAnnexB(back), splitAnnexB(data));
      fragments += payloads.filter(payload => (payload[0]! & 0x1f) === 28).length;
      aggregates += payloads.filter(payload => (payload[0]! & 0x1f) === 24).length;
    }
  }
  assert.ok(fragments > 50, `${fragments} fragments`);
  assert.ok(aggregates >= 4, `${aggregates} aggregates: one a key frame`);
  encoder.close();
  for (const source of moving) source.free();
});
