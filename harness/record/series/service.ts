/** Series service.jsonl: progress and results of a service. */
import { z } from '../../../core/schema/schema.ts';
import { bps, bytes, count, frames, kinds, mark, ms, packets, pixels, seconds, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

const kind = kinds(
  'transfer, video, element, audio and page (once a second), batch, segment, stall and load (each one)',
);
const timeMs = time('when it was so; of what has ended, when it did');
const receivedBytes = bytes('of content, at the client, since the service began');
const client = count('number of the client, from 1; missing where the service has one client').exactOptional();
const number = count('of the batch, segment or load');
const durationMs = ms('how long the batch, segment or stall took');
const ownBytes = bytes('of the batch, segment or page');
const positionS = seconds('of playback');
const rung = count('of the ladder, from 0, the lowest; null before the first frame');
const rungBps = bps('nominal rate of the rung');

const playback = {
  receivedBytes,
  positionS,
  bufferS: seconds('of video that can be played without anything coming in'),
  stalls: count('of playback so far'),
  stalledMs: ms('that playback has stood so far; a stall that is not over counts as far as it goes'),
  presentedFrames: frames('presented so far'),
  droppedFrames: frames('dropped so far'),
};

/**
 * Schema of the times of a page load, counted from the start of the navigation. Null: the page did not load and never
 * reached this event.
 */
const pageLoad = z.object({
  number,
  /** Start of the navigation. Missing in records of older versions. */
  startMs: time('when the navigation to the page began').exactOptional(),
  isCutOff: mark('the trial ended before the page had loaded or failed').exactOptional(),
  loadMs: ms("from navigation to the page's load event").nullable(),
  firstContentMs: ms('from navigation to the first content').nullable(),
  aboveTheFoldMs: ms(
    'from navigation to when 95 % of what can be seen without scrolling had its final look',
  ).nullable(),
  speedIndexMs: ms('speed index').nullable(),
  bytes: ownBytes,
});

export type PageLoad = z.output<typeof pageLoad>;

/**
 * Progress and results that a service reports. The lines `transfer`, `video`, `element` and `page` count from the start
 * of the service. A line `batch` is about several chunks that were fetched together; with iperf and short-flows it is
 * about the whole transfer of a flow of limited size.
 */
export const serviceSeries = new Series(
  { id: 'service', of: 'application', title: "A service's own account", pace: 'once a second, and each event' },
  z.discriminatedUnion('kind', [
    z.object({
      timeMs,
      kind: kind('transfer'),
      client,
      receivedBytes,
      flows: count('connections of the client that carry the transfer'),
    }),
    z.object({ timeMs, kind: kind('batch'), client, number, durationMs, bytes: ownBytes }),
    z.object({ timeMs, kind: kind('video'), ...playback, rung: rung.nullable(), rungBps: rungBps.nullable() }),
    z.object({
      timeMs,
      kind: kind('segment'),
      number,
      rung,
      rungBps,
      bytes: ownBytes,
      firstByteMs: ms('from the request of the segment to its first byte'),
      durationMs,
    }),
    z.object({ timeMs, kind: kind('stall'), positionS, durationMs }),
    z.object({
      timeMs,
      kind: kind('page'),
      loads: count('of the page so far'),
      failedLoads: count('of the page so far that failed'),
      receivedBytes,
    }),
    z.object({ timeMs, kind: kind('load'), ...pageLoad.shape }),
    z.object({
      timeMs,
      kind: kind('element'),
      ...playback,
      width: pixels("width of the frame of the page's largest video element"),
      height: pixels("height of the frame of the page's largest video element"),
    }),
    z.object({
      timeMs,
      kind: kind('audio'),
      stream: count('number of the stream of audio that the page receives over WebRTC, from 1'),
      packetsReceived: packets('of the stream, as getStats gave it'),
      totalSamplesReceived: count('samples of the stream that were played, concealed ones included'),
      concealedSamples: count('samples that the browser concealed'),
      concealmentEvents: count('concealments that the browser began'),
    }),
  ]),
);

export type ServiceRecord = RecordOf<typeof serviceSeries>;
