/**
 * Times in which frames came but the picture did not change: the encoder had so little rate that it coded each of them as
 * a repetition of the one before. To the viewer this is a stall, though the browser presents frames at the full rate.
 */
import { presentedSeries } from '../../record/series/frames.presented.ts';
import type { SentFrameLine } from '../../record/series/frames.sent.ts';
import type { StreamRecord } from '../../record/trial-record.ts';
import { type Gap, gapsInWindow, gapsWithoutPauses } from './presentation.ts';
import { presentedTimes } from './presented-times.ts';

/**
 * Largest size of a packet of a frame that repeats the picture, bytes. Such a frame has one packet for each slice, with a
 * NAL unit header, a slice header and one count of skipped macroblocks (ITU-T H.264, sections 7.3.3 and 7.3.4): 11 to 14
 * bytes at 1280x720. A packet this small has room for changes in a few macroblocks at most.
 */
const mostBytes = 16;

const repeats = ({ key, bytes, packets }: SentFrameLine) => !key && bytes <= mostBytes * packets;

/**
 * Returns the times without a change of the picture that overlap the window, are longer than the stall limit of the
 * stream, and have presented frames in them. Null if the sender wrote no sizes of frames, or if nothing was presented.
 */
export async function stillPicturesOf(record: StreamRecord): Promise<Gap[] | null> {
  const [sent, presented, times] = await Promise.all([
    record.sentFrames(),
    record.read(presentedSeries),
    presentedTimes(record),
  ]);
  if (sent.length === 0 || presented.length === 0) return null;
  const repeating = new Set(sent.filter(repeats).map(({ rtpTimestamp }) => rtpTimestamp));
  const repeatedAt = presented
    .filter(({ rtpTimestamp }) => rtpTimestamp !== null && repeating.has(rtpTimestamp))
    .map(({ presentationMs }) => presentationMs);
  const unchanged = new Set(repeatedAt);
  const gaps = gapsInWindow(
    times.filter(time => !unchanged.has(time)),
    record.window,
  );
  return gapsWithoutPauses(gaps, record.pauses).filter(
    ({ lengthMs, startMs, endMs }) =>
      lengthMs > record.gapLimits.stallMs && repeatedAt.some(time => time > startMs && time < endMs),
  );
}
