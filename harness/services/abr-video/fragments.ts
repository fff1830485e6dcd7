/**
 * Parses a short video in movie fragments (ISO/IEC 14496-12, sections 8.8 and 4.2) and continues it without end: each
 * new fragment gets its number and time, while the frames start again from the beginning.
 */
import { CoexistError } from '../../../core/errors.ts';

export type FragmentedVideo = {
  /** File type and movie box: what a player needs before any fragment. */
  init: Buffer;
  /** Movie fragment and media data, one after another. */
  fragments: Buffer[];
  /** As playlists name it (RFC 6381): "avc1.64001e". */
  codec: string;
  /** Time from one fragment to the next, in the video's own unit. */
  ticks: bigint;
};

type Box = { type: string; start: number; end: number };

/** The boxes between two offsets, one after another. */
function boxes(bytes: Buffer, start: number, end: number): Box[] {
  const found: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > end)
      throw new CoexistError('bad-clip', `the video in fragments is broken at byte ${at}`);
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at, end: at + size });
    at += size;
  }
  return found;
}

/** Where the content of a box begins that lies in others, the outermost first. */
function contentOf(bytes: Buffer, ...path: readonly string[]): number {
  let [start, end] = [0, bytes.length];
  for (const type of path) {
    const box = boxes(bytes, start, end).find(candidate => candidate.type === type);
    if (box === undefined) throw new CoexistError('bad-clip', `the video in fragments has no ${path.join('/')}`);
    [start, end] = [box.start + 8, box.end];
  }
  return start;
}

/** The time at which a fragment begins (tfdt, version 1). */
const timeAt = (fragment: Buffer) => contentOf(fragment, 'moof', 'traf', 'tfdt') + 4;

export function parseFragments(file: Buffer): FragmentedVideo {
  const all = boxes(file, 0, file.length);
  const first = all.findIndex(box => box.type === 'moof');
  const fragments = all.flatMap((box, k) =>
    box.type === 'moof' && all[k + 1]?.type === 'mdat' ? [file.subarray(box.start, all[k + 1]!.end)] : [],
  );
  if (fragments.length < 2) throw new CoexistError('bad-clip', 'the video has no fragments to choose from');
  const init = file.subarray(0, all[first]!.start);
  const profile = init.indexOf('avcC') + 5; // behind the type and the configuration's version
  return {
    init,
    fragments,
    codec: `avc1.${init.toString('hex', profile, profile + 3)}`,
    ticks: fragments[1]!.readBigUInt64BE(timeAt(fragments[1]!)) - fragments[0]!.readBigUInt64BE(timeAt(fragments[0]!)),
  };
}

/** The fragment of that number, from 0, in a video without end. */
export function fragmentAt({ fragments, ticks }: FragmentedVideo, number: number): Buffer {
  const fragment = Buffer.from(fragments[number % fragments.length]!);
  fragment.writeUInt32BE(number + 1, contentOf(fragment, 'moof', 'mfhd') + 4);
  fragment.writeBigUInt64BE(BigInt(number) * ticks, timeAt(fragment));
  return fragment;
}
