/**
 * A virtual ladder: every rung shows the same small frames. After each segment, an ISO-BMFF `free` box of
 * incompressible bytes (ISO/IEC 14496-12, 8.1.2) gives the segment the size of its rung. Players and network see a real
 * ladder, while decoding stays cheap.
 */
import { deriveSeed, seededRandom } from '../../../core/random.ts';
import { incompressible } from '../shared/incompressible.ts';
import { type FragmentedVideo, fragmentAt } from './fragments.ts';

/** Mean rates of the rungs, bit/s. */
export const rungsBps = [150e3, 400e3, 900e3, 1.8e6, 3.5e6, 7e6, 13e6] as const;
export const segmentS = 4;
/** Number of segments: half an hour. */
export const segmentCount = 450;

/**
 * Range of segment sizes relative to the rung's mean, as with variable bitrate. Segment k has the same factor on all
 * rungs.
 */
const [leastFactor, mostFactor] = [0.75, 1.25];
const freeHeaderBytes = 8;

/** Returns the size factors of the segments. Their mean is 1, and they are the same on every machine. */
function factors(): number[] {
  const random = seededRandom(deriveSeed(1, 'ladder'));
  const raw = Array.from({ length: segmentCount }, () => leastFactor + (mostFactor - leastFactor) * random.next());
  const mean = raw.reduce((sum, factor) => sum + factor, 0) / segmentCount;
  return raw.map(factor => factor / mean);
}

export class Ladder {
  readonly rungsBps: readonly number[];
  readonly #video: FragmentedVideo;
  readonly #factors = factors();

  /** `topBps`: highest rate of a rung, bit/s; higher rungs are omitted. */
  constructor(video: FragmentedVideo, topBps: number) {
    this.#video = video;
    this.rungsBps = rungsBps.filter(bps => bps <= topBps);
  }

  get init(): Buffer {
    return this.#video.init;
  }

  has(rung: number, number: number): boolean {
    return rung in this.rungsBps && Number.isInteger(number) && number >= 0 && number < segmentCount;
  }

  /**
   * Returns the length of a segment and a function that returns pieces of its content. A segment is never shorter than
   * its frames.
   */
  segment(rung: number, number: number): { bytes: number; piece: (offset: number, bytes: number) => Buffer } {
    const fragment = fragmentAt(this.#video, number);
    const wanted = Math.round((this.rungsBps[rung]! / 8) * segmentS * this.#factors[number]!);
    const freeBytes = Math.max(freeHeaderBytes, wanted - fragment.length);
    const header = Buffer.alloc(freeHeaderBytes);
    header.writeUInt32BE(freeBytes, 0);
    header.write('free', 4, 'latin1');
    const head = Buffer.concat([fragment, header]);
    return {
      bytes: fragment.length + freeBytes,
      piece: (offset, bytes) =>
        offset < head.length
          ? head.subarray(offset, Math.min(head.length, offset + bytes))
          : incompressible(offset - head.length + number, bytes),
    };
  }

  /** Returns the playlist of the rungs for HTTP Live Streaming (RFC 8216). */
  master(): string {
    const most = Math.max(...this.#factors);
    return [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      ...this.rungsBps.flatMap((bps, rung) => [
        `#EXT-X-STREAM-INF:BANDWIDTH=${Math.round(bps * most)},AVERAGE-BANDWIDTH=${bps},RESOLUTION=640x360,CODECS="${this.#video.codec}"`,
        `${rung}.m3u8`,
      ]),
      '',
    ].join('\n');
  }

  /** Returns the playlist of a rung's segments for HTTP Live Streaming. */
  playlist(rung: number): string {
    return [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      `#EXT-X-TARGETDURATION:${segmentS}`,
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXT-X-MAP:URI="init.mp4"',
      ...Array.from({ length: segmentCount }, (_, number) => `#EXTINF:${segmentS},\n${rung}/${number}.m4s`),
      '#EXT-X-ENDLIST',
      '',
    ].join('\n');
  }

  /** Returns the manifest of all rungs for MPEG-DASH (ISO/IEC 23009-1). */
  manifest(): string {
    const rungs = this.rungsBps
      .map(
        (bps, rung) =>
          `<Representation id="${rung}" bandwidth="${bps}" width="640" height="360" codecs="${this.#video.codec}"/>`,
      )
      .join('');
    return (
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ' +
      `profiles="urn:mpeg:dash:profile:isoff-live:2011" mediaPresentationDuration="PT${segmentCount * segmentS}S" ` +
      `minBufferTime="PT${segmentS}S">` +
      '<Period><AdaptationSet mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">' +
      `<SegmentTemplate timescale="1" duration="${segmentS}" startNumber="0" initialization="init.mp4" ` +
      `media="$RepresentationID$/$Number$.m4s"/>${rungs}</AdaptationSet></Period></MPD>`
    );
  }
}
