/**
 * Time line of every frame as a row: its times at each part of the path, and the parts of its latency. Both are
 * computed from the other series.
 */

import { z } from '../../core/schema/schema.ts';
import type { FrameLine } from '../analysis/derive/timeline/frame-line.ts';
import { splitLatency } from '../analysis/derive/timeline/frame-parts.ts';
import { timelineOf } from '../analysis/derive/timeline/timeline.ts';
import { bps, count, describe, flag, ms, packets, time } from '../record/schema/fields.ts';
import type { TrialRecord } from '../record/trial-record.ts';
import type { TableSeries } from './series-table.ts';

const row = z.object({
  frame: count('number of the frame in the session: joins it to frames.sent and packets'),
  rtpTimestamp: count('RTP timestamp (90 kHz): joins it to frames.presented'),
  key: flag('whether it is a key frame'),
  captureMs: time('when it was taken'),
  encodedMs: time('when the encoder was done'),
  firstSentMs: time('when the pacer let its first packet go'),
  lastSentMs: time('when the pacer let its last packet go'),
  encoderBps: bps('rate that the encoder was given'),
  offeredMs: time('when its first packet came to the bottleneck; null without a log of the queue').nullable(),
  leftMs: time('when its last packet left the bottleneck').nullable(),
  copySentMs: time('of the packet, of those sent first, that came last: when it left the sender').nullable(),
  copyOfferedMs: time('of that packet: when it came to the bottleneck').nullable(),
  copyQueuedMs: ms('of that packet: time in the queue; null where it still waited when the log ended').nullable(),
  copyBehindPackets: packets('of that packet: in the queue when it came').nullable(),
  copyArrivedMs: time('of that packet: when it arrived').nullable(),
  lostPackets: packets('that did not arrive when they were sent first'),
  overflowPackets: packets('of those, dropped by the full queue'),
  randomLossPackets: packets('of those, dropped by random loss'),
  aqmPackets: packets('of those, dropped by the AQM'),
  otherDropPackets: packets('of those, dropped at the bottleneck for another reason'),
  behindPackets: packets("of those, lost after they had left the bottleneck's queue"),
  lossSentMs: time('when the first of the lost packets was sent').nullable(),
  lossSeenMs: time('when a later packet arrived, by which the browser could see the loss').nullable(),
  repairPackets: packets('sent again'),
  repairLostPackets: packets('of those sent again, lost as well'),
  repairSentMs: time('when the first of those sent again left').nullable(),
  repairArrivedMs: time('when the last of those sent again arrived').nullable(),
  completeMs: time(
    'when the last packet that was needed arrived; null where the frame never became complete',
  ).nullable(),
  presentedMs: time(
    'when it was presented; null where no callback told of it, as where it was not presented, and after the end of the window',
  ).nullable(),
  decodingMs: ms('decoding time, as the browser tells it').nullable(),
  latencyMs: ms('from its capture to its presentation; the sum of the parts that follow').nullable(),
  encoderMs: ms('part of the latency: in the encoder').nullable(),
  pacerMs: ms('part of the latency: until the pacer let the packet go that came last').nullable(),
  queueMs: ms('part of the latency: that packet in the bottleneck queue').nullable(),
  wireMs: ms('part of the latency: the rest of its path; the queue, too, where there is no log of it').nullable(),
  repairMs: ms('part of the latency: until everything that was lost had arrived again').nullable(),
  jitterBufferMs: ms('part of the latency: until decoding began, as decodingMs puts it').nullable(),
  decodeMs: ms('part of the latency: decoding').nullable(),
});

type TimelineRow = z.output<typeof row>;

const perhaps = (value: number | null | undefined) => (value == null || !Number.isFinite(value) ? null : value);

function rowOf(line: FrameLine): TimelineRow {
  const { lost, dropped, loss, last, repairs, ...times } = line;
  const { captureMs, presentedMs } = times;
  const parts = presentedMs === null || presentedMs < captureMs ? null : splitLatency(line, presentedMs);
  return {
    ...times,
    copySentMs: perhaps(last?.sentMs),
    copyOfferedMs: perhaps(last?.queue?.offeredMs),
    copyQueuedMs: perhaps(last?.queue?.sojournMs),
    copyBehindPackets: perhaps(last?.queue?.packets),
    copyArrivedMs: perhaps(last?.arrivedMs),
    lostPackets: lost,
    overflowPackets: dropped['overflow'],
    randomLossPackets: dropped['random-loss'],
    aqmPackets: dropped['aqm'],
    otherDropPackets: dropped['other'],
    behindPackets: dropped['behind'],
    lossSentMs: perhaps(loss?.sentMs),
    lossSeenMs: perhaps(loss?.seenMs),
    repairPackets: repairs?.packets ?? 0,
    repairLostPackets: repairs?.lost ?? 0,
    repairSentMs: perhaps(repairs?.firstSentMs),
    repairArrivedMs: perhaps(repairs?.lastArrivedMs),
    latencyMs: parts === null ? null : presentedMs! - captureMs,
    encoderMs: perhaps(parts?.encoder),
    pacerMs: perhaps(parts?.pacer),
    queueMs: perhaps(parts?.queue),
    wireMs: perhaps(parts?.wire),
    repairMs: perhaps(parts?.repair),
    jitterBufferMs: perhaps(parts?.['jitter-buffer']),
    decodeMs: perhaps(parts?.decode),
  };
}

/** Returns the rows of all sent frames; empty if the trial was not completed. */
export async function timelineRows(record: TrialRecord): Promise<TimelineRow[]> {
  return record.file.phases === null ? [] : (await timelineOf(record)).frames.map(rowOf);
}

export const timelineSeries: TableSeries = {
  title: 'Time line of each frame from capture to presentation, computed from the other series',
  pace: 'each frame that was sent',
  of: 'application',
  ...describe(row),
  rows: timelineRows,
};
