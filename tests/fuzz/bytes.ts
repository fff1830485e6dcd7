/** Damage to bytes, for the fuzz tests. */
import fc from 'fast-check';

type Damage =
  | { kind: 'flip'; at: number; bit: number }
  | { kind: 'set'; at: number; value: number }
  | { kind: 'cut'; at: number }
  | { kind: 'remove'; at: number; count: number }
  | { kind: 'insert'; at: number; bytes: Uint8Array };

/** Where, as a share of the length. */
const at = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at, bit: fc.nat(7) }),
  fc.record({ kind: fc.constant('set' as const), at, value: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff) }),
  fc.record({ kind: fc.constant('cut' as const), at }),
  fc.record({ kind: fc.constant('remove' as const), at, count: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('insert' as const), at, bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }) }),
);

function apply(bytes: Buffer, done: Damage): Buffer {
  const index = Math.floor(done.at * bytes.length);
  const copy = Buffer.from(bytes);
  switch (done.kind) {
    case 'flip':
      if (index < copy.length) copy[index]! ^= 1 << done.bit;
      return copy;
    case 'set':
      if (index < copy.length) copy[index] = done.value;
      return copy;
    case 'cut':
      return copy.subarray(0, index);
    case 'remove':
      return Buffer.concat([copy.subarray(0, index), copy.subarray(index + done.count)]);
    case 'insert':
      return Buffer.concat([copy.subarray(0, index), done.bytes, copy.subarray(index)]);
  }
}

/** One of the originals, or several together, after some damage. */
export function damaged(originals: readonly Buffer[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.array(fc.constantFrom(...originals), { minLength: 1, maxLength: 3 }), fc.array(damage, { maxLength: 6 }))
    .map(([parts, damages]) => damages.reduce(apply, Buffer.concat(parts)));
}

export const anyBytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength, size: 'max' }).map(bytes => Buffer.from(bytes));

/** Packets that begin as those of QUIC do: long and short headers, and anything. */
export const quicLike: fc.Arbitrary<Buffer> = fc.oneof(
  damaged([
    Buffer.concat([Buffer.from('c300000001088394c8f03e5157080000449e', 'hex'), Buffer.alloc(1182, 7)]),
    Buffer.concat([Buffer.from('40aabbccddeeff0011', 'hex'), Buffer.alloc(60, 9)]),
    Buffer.from('80000000000401020304', 'hex'),
  ]),
  anyBytes(1400),
);
