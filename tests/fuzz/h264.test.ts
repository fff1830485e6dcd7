import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packetize, splitAnnexB } from '../../server/rtp/h264-packetizer.ts';
import { depacketize } from '../unit/server/rtp/depacketize.ts';
import { anyBytes } from './bytes.ts';
import { effort } from './effort.ts';

/** A unit as an encoder writes it: no three bytes in it that look like a start code, and no zero at its end. */
const unit = fc
  .tuple(fc.constantFrom(0x61, 0x41, 0x65, 0x67, 0x68, 0x06, 0x09), fc.nat(400), fc.nat(255))
  .map(([header, length, filler]) =>
    Buffer.concat([Buffer.from([header]), Buffer.from(Uint8Array.from({ length }, (_, i) => (i * filler) & 0xff))]),
  )
  .map(bytes => {
    for (let i = 2; i < bytes.length; i++) if (bytes[i - 2] === 0 && bytes[i - 1] === 0 && bytes[i]! <= 3) bytes[i] = 4;
    bytes[bytes.length - 1] ||= 0x80;
    return bytes;
  });

test('units come back as they were, in order, whatever their sizes', () => {
  const units = fc.array(fc.tuple(unit, fc.constantFrom('000001', '00000001', '0000000001')), {
    maxLength: 12,
    size: 'max',
  });
  fc.assert(
    fc.property(units, fc.integer({ min: 4, max: 300 }), (parts, maxBytes) => {
      const stream = Buffer.concat(parts.flatMap(([bytes, code]) => [Buffer.from(code, 'hex'), bytes]));
      assert.deepEqual(
        splitAnnexB(stream),
        parts.map(([bytes]) => bytes),
      );
      const payloads = packetize(stream, maxBytes);
      assert.ok(payloads.every(({ length }) => length > 0 && length <= maxBytes));
      assert.deepEqual(
        depacketize(payloads),
        parts.map(([bytes]) => bytes).filter(bytes => (bytes[0]! & 0x1f) !== 9),
      );
    }),
    effort(20, 1000),
  );
});

test('any bytes are packets within the limit', () => {
  fc.assert(
    fc.property(anyBytes(600), fc.integer({ min: 4, max: 100 }), (bytes, maxBytes) => {
      assert.ok(
        packetize(Buffer.concat([Buffer.from([0, 0, 1]), bytes]), maxBytes).every(
          ({ length }) => length > 0 && length <= maxBytes,
        ),
      );
    }),
    effort(20, 1000),
  );
});
