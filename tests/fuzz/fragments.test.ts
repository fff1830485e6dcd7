/** Whatever stands in place of a video in fragments, it is continued without end, or it is refused when it is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { fragmentAt, parseFragments } from '../../harness/services/abr-video/fragments.ts';
import { segmentCount } from '../../harness/services/abr-video/ladder.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20261127;

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(8 + content.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), content]);
}

function numbers(...values: (number | bigint)[]): Buffer {
  return Buffer.concat(
    values.map(value => {
      const bytes = Buffer.alloc(typeof value === 'bigint' ? 8 : 4);
      if (typeof value === 'bigint') bytes.writeBigUInt64BE(value);
      else bytes.writeUInt32BE(value);
      return bytes;
    }),
  );
}

type Fragment = { number: number; version: number; time: bigint; bytes: number };
const fragmentOf = ({ number, version, time, bytes }: Fragment) =>
  Buffer.concat([
    box(
      'moof',
      box('mfhd', numbers(0, number)),
      box('traf', box('tfhd', numbers(0x020000, 1)), box('tfdt', numbers(version * 2 ** 24, time))),
    ),
    box('mdat', Buffer.alloc(bytes, 9)),
  ]);
const init = Buffer.concat([
  box('ftyp', Buffer.from('iso5')),
  box('moov', box('mvex'), box('avcC', Buffer.from('0164001effe1', 'hex'))),
]);
const ticks = 40_960n;
const original = Buffer.concat([
  init,
  ...[0, 1, 2].map(k => fragmentOf({ number: k + 1, version: 1, time: BigInt(k) * ticks, bytes: 20 + k })),
]);

const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const fragments = fc
  .array(
    fc.record({
      number: u32,
      version: fc.constantFrom(1, 1, 1, 0, 2),
      time: fc.bigInt(0n, 2n ** 64n - 1n).map(time => (time % 3n === 0n ? time : time % 2n ** 33n)),
      bytes: fc.nat(30),
    }),
    { maxLength: 4 },
  )
  .map(all => Buffer.concat([init, ...all.map(fragmentOf)]));

test('videos in fragments', () => {
  assert.equal(parseFragments(original).ticks, ticks);
  const seen = { read: 0, refused: 0 };
  fc.assert(
    fc.property(fc.oneof(damaged([original]), fragments, anyBytes(200)), file => {
      const before = Buffer.from(file);
      let video: ReturnType<typeof parseFragments>;
      try {
        video = parseFragments(file);
      } catch (error) {
        seen.refused++;
        assert.ok(error instanceof CoexistError && error.code === 'bad-clip', (error as Error).stack);
        assert.ok(!error.message.includes('\n') && error.message.length < 300, error.message);
        return;
      }
      seen.read++;
      assert.match(video.codec, /^avc1\.[0-9a-f]{6}$/);
      for (const number of [0, 1, 2, segmentCount - 1, 2 ** 32 - 2]) {
        const one = fragmentAt(video, number);
        const was = video.fragments[number % video.fragments.length]!;
        assert.equal(one.length, was.length);
        const others = [...one.keys()].filter(k => one[k] !== was[k]);
        assert.ok(others.length <= 12, 'number and time, and nothing else');
      }
      assert.ok(file.equals(before), 'the video itself stays as it is');
    }),
    effort(seed, 3000),
  );
  assert.ok(seen.read > 100 && seen.refused > 1000, JSON.stringify(seen));
});
