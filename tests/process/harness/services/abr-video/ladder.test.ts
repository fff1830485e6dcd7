import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateClip } from '../../../../../harness/media/generate-clip.ts';
import { writeFragments } from '../../../../../harness/media/write-fragments.ts';
import {
  type FragmentedVideo,
  fragmentAt,
  parseFragments,
} from '../../../../../harness/services/abr-video/fragments.ts';
import { Ladder, rungsBps, segmentCount, segmentS } from '../../../../../harness/services/abr-video/ladder.ts';
import { pieceBytes } from '../../../../../harness/services/shared/incompressible.ts';
import '../../../../unit/server/support/frames.ts';
import { temporaryFolder } from '../../../../unit/harness/support/folder.ts';
import { sharedStart } from '../../../../unit/support/shared-start.ts';

const folder = temporaryFolder();
let video: FragmentedVideo;
sharedStart(async () => {
  const [clip, file] = [join(folder, 'clip.mp4'), join(folder, 'video.mp4')];
  await generateClip(clip, 20);
  await writeFragments(
    clip,
    { width: 160, height: 90, frameRate: 10, seconds: 12, fragmentSeconds: segmentS, bps: 40_000 },
    file,
  );
  video = parseFragments(readFileSync(file));
});

/** Returns a whole segment, read in pieces. */
function whole(ladder: Ladder, rung: number, number: number): Buffer {
  const { bytes, piece } = ladder.segment(rung, number);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes; at += pieces.at(-1)!.length) pieces.push(piece(at, Math.min(pieceBytes, bytes - at)));
  return Buffer.concat(pieces);
}

const time = (fragment: Buffer) => fragment.readBigUInt64BE(fragment.indexOf('tfdt') + 8);

test('a video in fragments: what comes first, the fragments, codec and time', () => {
  assert.equal(video.fragments.length, 3);
  assert.match(video.codec, /^avc1\.[0-9a-f]{6}$/);
  assert.equal(video.init.toString('latin1', 4, 8), 'ftyp');
  assert.ok(video.init.includes('mvex') && !video.init.includes('moof'));
  assert.deepEqual(video.fragments.map(time), [0n, video.ticks, 2n * video.ticks]);
});

test('the frames begin again, number and time go on', () => {
  for (const number of [0, 2, 3, 7, 449]) {
    const fragment = fragmentAt(video, number);
    assert.equal(time(fragment), BigInt(number) * video.ticks);
    assert.equal(fragment.readUInt32BE(fragment.indexOf('mfhd') + 8), number + 1);
    assert.ok(
      fragment
        .subarray(fragment.indexOf('mdat'))
        .equals(video.fragments[number % 3]!.subarray(video.fragments[number % 3]!.indexOf('mdat'))),
    );
  }
  assert.equal(time(video.fragments[1]!), video.ticks, 'the fragments themselves stay as they are');
});

test('what is no video in fragments is refused', () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(100),
    video.init,
    Buffer.concat([video.init, video.fragments[0]!]),
    Buffer.from('not a video at all'),
  ]) {
    assert.throws(() => parseFragments(bytes), { code: 'bad-clip' });
  }
});

/**
 * Returns the video with the bytes `hex` (hexadecimal) written over it, `behind` bytes after the start of the nth
 * occurrence of `letters`.
 */
function written(letters: string, behind: number, hex: string, nth = 1): Buffer {
  const file = Buffer.concat([video.init, ...video.fragments]);
  let at = -1;
  for (let k = 0; k < nth; k++) at = file.indexOf(letters, at + 1);
  file.write(hex, at + behind, 'hex');
  return file;
}

test('a video that could not go on is refused when it is read, and not when it is played', () => {
  const mended: [file: Buffer, says: RegExp][] = [
    [written('avcC', 0, '78'), /does not say how it is coded/],
    [written('mfhd', -4, '0000000c00000000'), /no moof\/mfhd$|broken at byte/],
    [written('tfdt', 4, '00'), /a tfdt of version 0, not 1$/],
    [written('tfdt', 8, 'ffffffffffffffff'), /has -\d+ ticks from one fragment to the next$/],
    [written('tfdt', 8, '0000000000000000', 2), /has 0 ticks from one fragment to the next$/],
    [written('tfdt', 8, 'ffffffffffffffff', 2), /has 18446744073709551615 ticks/],
  ];
  for (const [file, says] of mended) assert.throws(() => parseFragments(file), { code: 'bad-clip', message: says });
  const box = (type: string, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(8 + content.length);
    return Buffer.concat([length, Buffer.from(type), content]);
  };
  const fragment = (tfdt: Buffer) => [box('moof', box('mfhd', Buffer.alloc(8)), box('traf', tfdt)), box('mdat')];
  for (const [tfdt, says] of [
    [box('tfdt', Buffer.from([1, 0, 0, 0])), /has a moof\/traf\/tfdt of only 4 bytes$/],
    [Buffer.alloc(0), /has no moof\/traf\/tfdt$/],
  ] as const)
    assert.throws(() => parseFragments(Buffer.concat([video.init, ...fragment(tfdt), ...fragment(tfdt)])), {
      code: 'bad-clip',
      message: says,
    });
});

test('each rung has its rate, on the mean of all segments, and none is far from it', () => {
  const ladder = new Ladder(video, 13e6);
  assert.deepEqual(ladder.rungsBps, rungsBps);
  for (const [rung, bps] of rungsBps.entries()) {
    const sizes = Array.from(
      { length: segmentCount },
      (_, number) => (ladder.segment(rung, number).bytes * 8) / segmentS / bps,
    );
    const mean = sizes.reduce((sum, ratio) => sum + ratio, 0) / sizes.length;
    assert.ok(Math.abs(mean - 1) < 0.01, `rung ${rung}: ${mean}`);
    assert.ok(Math.min(...sizes) > 0.74 && Math.max(...sizes) < 1.27, `rung ${rung}`);
  }
});

test('a segment is its frame and a free box, the same bytes each time', () => {
  const ladder = new Ladder(video, 13e6);
  const bytes = whole(ladder, 2, 5);
  const fragment = fragmentAt(video, 5);
  assert.equal(bytes.length, ladder.segment(2, 5).bytes);
  assert.ok(bytes.subarray(0, fragment.length).equals(fragment));
  assert.equal(bytes.readUInt32BE(fragment.length), bytes.length - fragment.length);
  assert.equal(bytes.toString('latin1', fragment.length + 4, fragment.length + 8), 'free');
  assert.ok(bytes.equals(whole(new Ladder(video, 13e6), 2, 5)));
});

test('a lower top leaves rungs out; what is not there is known', () => {
  const ladder = new Ladder(video, 8e6);
  assert.equal(ladder.rungsBps.at(-1), 7e6);
  assert.deepEqual(
    [
      ladder.has(5, 0),
      ladder.has(6, 0),
      ladder.has(0, segmentCount - 1),
      ladder.has(0, segmentCount),
      ladder.has(0, 1.5),
      ladder.has(-1, 0),
    ],
    [true, false, true, false, false, false],
  );
  assert.equal(ladder.master().match(/STREAM-INF/g)!.length, 6);
  assert.equal(ladder.manifest().match(/<Representation /g)!.length, 6);
  assert.equal(ladder.playlist(3).match(/#EXTINF:4,\n3\/\d+\.m4s/g)!.length, segmentCount);
});
