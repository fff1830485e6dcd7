/**
 * Parses a short video in movie fragments (ISO/IEC 14496-12, sections 8.8 and 4.2) and continues it without end. The
 * frames repeat from the beginning, while each new fragment gets its own number and time.
 */
import { CoexistError } from '../../../core/errors.ts';

export type FragmentedVideo = {
  /** File type box and movie box, which a player needs before the first fragment. */
  init: Buffer;
  /** Movie fragments with their media data, in the order of the video. */
  fragments: Buffer[];
  /** Codec name for playlists (RFC 6381), such as "avc1.64001e". */
  codec: string;
  /** Time from the start of one fragment to the start of the next, in the video's time unit. */
  ticks: bigint;
};

type Box = { type: string; start: number; end: number };

/** Returns the boxes between two offsets, in the order of the file. */
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

/**
 * Returns the offset of the content of a nested box. `path`: types of the boxes, outermost first. Throws `bad-clip` if
 * the box is missing or its content has fewer than `least` bytes.
 */
function contentOf(bytes: Buffer, least: number, ...path: readonly string[]): number {
  let [start, end] = [0, bytes.length];
  for (const type of path) {
    const box = boxes(bytes, start, end).find(candidate => candidate.type === type);
    if (box === undefined) throw new CoexistError('bad-clip', `the video in fragments has no ${path.join('/')}`);
    [start, end] = [box.start + 8, box.end];
  }
  if (end - start < least)
    throw new CoexistError('bad-clip', `the video in fragments has a ${path.join('/')} of only ${end - start} bytes`);
  return start;
}

/** Returns the offset of a fragment's start time (tfdt, version 1: 64 bits). */
function timeAt(fragment: Buffer): number {
  const at = contentOf(fragment, 12, 'moof', 'traf', 'tfdt');
  if (fragment[at] !== 1)
    throw new CoexistError('bad-clip', `the video in fragments has a tfdt of version ${fragment[at]}, not 1`);
  return at + 4;
}

/** Returns the offset of a fragment's number (mfhd). */
const numberAt = (fragment: Buffer) => contentOf(fragment, 8, 'moof', 'mfhd') + 4;

/** Largest `ticks`: the start time of every fragment has to fit into 64 bits, and the fragment's number has 32 bits. */
const mostTicks = 2n ** 32n - 1n;

/** Parses a file. Throws `bad-clip` if `fragmentAt` could not continue the video. */
export function parseFragments(file: Buffer): FragmentedVideo {
  const all = boxes(file, 0, file.length);
  const first = all.findIndex(box => box.type === 'moof');
  const fragments = all.flatMap((box, k) =>
    box.type === 'moof' && all[k + 1]?.type === 'mdat' ? [file.subarray(box.start, all[k + 1]!.end)] : [],
  );
  if (fragments.length < 2) throw new CoexistError('bad-clip', 'the video has no fragments to choose from');
  const init = file.subarray(0, all[first]!.start);
  const configuration = init.indexOf('avcC');
  const profile = configuration + 5; // after the type and the configuration's version
  if (configuration < 0 || profile + 3 > init.length)
    throw new CoexistError('bad-clip', 'the video in fragments does not say how it is coded (avcC)');
  for (const fragment of fragments) numberAt(fragment);
  const times = fragments.map(fragment => fragment.readBigUInt64BE(timeAt(fragment)));
  const ticks = times[1]! - times[0]!;
  if (ticks < 1n || ticks > mostTicks)
    throw new CoexistError('bad-clip', `the video in fragments has ${ticks} ticks from one fragment to the next`);
  return { init, fragments, codec: `avc1.${init.toString('hex', profile, profile + 3)}`, ticks };
}

/** Returns fragment `number` (from 0) of the video without end. */
export function fragmentAt({ fragments, ticks }: FragmentedVideo, number: number): Buffer {
  const fragment = Buffer.from(fragments[number % fragments.length]!);
  fragment.writeUInt32BE(number + 1, numberAt(fragment));
  fragment.writeBigUInt64BE(BigInt(number) * ticks, timeAt(fragment));
  return fragment;
}
