/**
 * Frames of a voice on the harness's clock. The records of the sender (packets), of the queue (packets) and of the
 * browser (feedback) are joined. Each packet carries one new frame, and is never sent again.
 */
import type { DropReason } from '../../../../core/vocabulary/drop-reason.ts';
import { pathOf } from '../../../../core/vocabulary/link.ts';
import { kindPlace } from '../../../../core/vocabulary/packet-kind.ts';
import { voiceRateHz } from '../../../../core/vocabulary/voice.ts';
import type { PacketTable } from '../../../record/packet-table.ts';
import { presentedSeries } from '../../../record/series/frames.presented.ts';
import { mediaQueueSeries } from '../../../record/series/queue.media.ts';
import { voiceSentSeries } from '../../../record/series/voice.sent.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import type { LastCopy } from '../timeline/frame-line.ts';
import { packetArrivals } from '../timeline/packet-arrivals.ts';
import { fate, type PacketFates, queueOf, reasonOf } from '../timeline/packet-fates.ts';
import { rowFates } from '../timeline/row-fates.ts';
import { timelineOf } from '../timeline/timeline.ts';

/** A frame of the voice and its packet. Times are Unix ms. */
export type VoiceFrame = {
  /** Time at which its first sample was spoken. */
  spokenMs: number;
  sentMs: number;
  /** Infinity for `sojournMs`: the packet waits until the end of the log. Null if the queue log does not have it. */
  queue: LastCopy['queue'];
  /** NaN if it was lost, or if the record does not tell; Infinity if it waits in the queue until the end of the log. */
  arrivedMs: number;
  /** Reason of its loss: `behind` behind the queue, `unseen` where the queue log does not have it. Null if not lost. */
  lost: DropReason | 'behind' | 'unseen' | null;
};

export type SentVoice = {
  /** Frames in the order in which they were spoken. */
  frames: VoiceFrame[];
  /** Length of a frame, ms. */
  frameMs: number;
  /** Number of earlier frames that each packet repeats (RED). */
  redundantFrames: number;
  hasQueueLog: boolean;
};

/** Returns the frames of the voice that were sent up to the end of the window. Undefined if the record does not have their packets. */
export async function sentVoice(record: TrialRecord): Promise<SentVoice | undefined> {
  const [table, queue, [first]] = await Promise.all([
    record.packetTable(),
    record.read(mediaQueueSeries),
    record.read(voiceSentSeries),
  ]);
  const rows: number[] = [];
  for (let row = 0; row < table.length; row++)
    if (table.kind[row] === kindPlace.voice && table.sentMs[row]! <= record.window.endMs) rows.push(row);
  if (first === undefined || rows.length < 2) return undefined;
  const fates = rowFates(table, queue);
  const offsetMs = await receiverOffsetMs(record, table, fates, rows);
  const { arrivedMs, isLost } = packetArrivals(table, fates, offsetMs === null ? null : { offsetMs });
  const frames = rows.map((row): VoiceFrame => {
    const queue = queueOf(fates, row);
    return {
      // the difference of two RTP timestamps, which are 32 bits long
      spokenMs: first.spokenMs + ((table.rtpTimestamp[row]! - first.rtpTimestamp) | 0) / (voiceRateHz / 1000),
      sentMs: table.sentMs[row]!,
      queue,
      arrivedMs: arrivedMs[row]!,
      lost: isLost(row) ? (queue !== null ? (reasonOf(fates!.fate[row]!) ?? 'behind') : 'unseen') : null,
    };
  });
  const stepsMs = frames.flatMap(({ spokenMs }, i) => (i === 0 ? [] : spokenMs - frames[i - 1]!.spokenMs));
  return {
    frames,
    frameMs: Math.min(...stepsMs.filter(stepMs => stepMs > 0)),
    redundantFrames: first.redundantFrames ?? 0,
    hasQueueLog: fates !== null,
  };
}

/**
 * Returns the offset of the clock on which feedback reports arrivals, ms. The frames of a video tell it. Without them
 * the fastest packet of the voice does: it arrived when it left the queue, or, without a queue log, after the delay of
 * its path. Null if no packet arrived.
 */
async function receiverOffsetMs(
  record: TrialRecord,
  table: PacketTable,
  fates: PacketFates | null,
  rows: readonly number[],
): Promise<number | null> {
  const hasVideo = (await record.read(presentedSeries)).length > 0;
  const clock = hasVideo ? (await timelineOf(record)).receiverClock : null;
  if (clock !== null) return clock.offsetMs;
  const { downMs } = pathOf(record.link.paths, record.application.name);
  let offsetMs = -Infinity;
  for (const row of rows) {
    const leftMs = fates?.fate[row] === fate.left ? fates.offeredMs[row]! + fates.sojournMs[row]! : NaN;
    const earliestMs = fates === null ? table.sentMs[row]! + downMs : leftMs;
    const ownMs = earliestMs - table.receivedMs[row]!;
    if (ownMs > offsetMs) offsetMs = ownMs; // false for NaN
  }
  return offsetMs === -Infinity ? null : offsetMs;
}
