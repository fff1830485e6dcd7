/**
 * Time lines of all frames of a trial on the harness's clock. The records of the sender (frames and packets), the queue
 * (packets) and the browser (feedback and presentations) are joined by frame number, RTP timestamp and RTP sequence
 * number.
 *
 * A retransmission is assigned to a frame by the frame's RTP timestamp, and not matched with the packet that it
 * repeats. A frame that lost n packets is complete when the n-th of its retransmissions has arrived, unless the browser
 * itself reports the time. Frames presented after the window are left out.
 */
import { kindPlace } from '../../../../core/vocabulary/packet-kind.ts';
import type { PacketTable } from '../../../record/packet-table.ts';
import { type PresentedFrameRecord, presentedSeries } from '../../../record/series/frames.presented.ts';
import { mediaQueueSeries } from '../../../record/series/queue.media.ts';
import type { StreamRecord } from '../../../record/trial-record.ts';
import { onceFor } from '../once.ts';
import type { FrameLine } from './frame-line.ts';
import { type PacketArrivals, packetArrivals } from './packet-arrivals.ts';
import { hopOf, type PacketFates, queueOf, reasonOf } from './packet-fates.ts';
import { fitReceiverClock, type ReceiverClock } from './receiver-clock.ts';
import { rowFates } from './row-fates.ts';

export type Timeline = {
  /** All frames in capture order. */
  frames: FrameLine[];
  /**
   * Clock of the transport feedback; null if the offset of this clock could not be measured. In that case arrivals are
   * the times at which packets left the bottleneck.
   */
  receiverClock: ReceiverClock | null;
  hasQueueLog: boolean;
};

const { media, retransmission } = kindPlace;
/** Number of packets after a lost packet among which the next arrival is searched. */
const mostPacketsBehind = 20_000;

/** Frame whose packets are still being collected, with their rows in the packet table. */
type Open = { line: FrameLine; rows: number[]; repairRows: number[] };

/** Returns the time lines of all frames of a trial, computed once for each record. */
export const timelineOf = onceFor(build);

async function build(record: StreamRecord): Promise<Timeline> {
  const [sent, table, queue, presented] = await Promise.all([
    record.sentFrames(),
    record.packetTable(),
    record.read(mediaQueueSeries),
    record.read(presentedSeries),
  ]);
  const open = sent
    .map(
      ({ frame, rtpTimestamp, key, captureMs, encodedMs, firstPacketMs, lastPacketMs, encoderBps }): Open => ({
        line: {
          frame,
          rtpTimestamp,
          key: key === true,
          captureMs,
          encodedMs,
          firstSentMs: firstPacketMs,
          lastSentMs: lastPacketMs,
          encoderBps,
          offeredMs: null,
          leftMs: null,
          lost: 0,
          dropped: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0, behind: 0 },
          loss: null,
          last: null,
          repairs: null,
          completeMs: null,
          presentedMs: null,
          decodingMs: null,
        },
        rows: [],
        repairRows: [],
      }),
    )
    .sort((a, b) => a.line.frame - b.line.frame);
  gather(open, table);
  const shown = new Map(
    presented
      .filter(frame => frame.rtpTimestamp !== null && frame.presentationMs <= record.window.endMs)
      .map(frame => [frame.rtpTimestamp!, frame]),
  );
  const fates = rowFates(table, queue);
  const receiverClock = clockOf(open, table, shown);
  const arrivals = packetArrivals(table, fates, receiverClock);
  for (const frame of open) {
    fillFirstCopies(frame, table, fates, arrivals);
    fillRepairs(frame, table, arrivals);
    fillEnd(frame, arrivals, shown.get(frame.line.rtpTimestamp));
  }
  return { frames: open.map(({ line }) => line), receiverClock, hasQueueLog: fates !== null };
}

/** Assigns every packet to the frame that it belongs to. */
function gather(open: readonly Open[], { length, kind, frame, rtpTimestamp }: PacketTable): void {
  const byNumber = new Map(open.map(entry => [entry.line.frame, entry]));
  const byTimestamp = new Map(open.map(entry => [entry.line.rtpTimestamp, entry]));
  let current: Open | undefined;
  for (let row = 0; row < length; row++) {
    if (kind[row] === media) {
      if (current?.line.frame !== frame[row]) current = byNumber.get(frame[row]!);
      current?.rows.push(row);
    } else if (kind[row] === retransmission) byTimestamp.get(rtpTimestamp[row]!)?.repairRows.push(row);
  }
}

function clockOf(
  open: readonly Open[],
  { receivedMs }: PacketTable,
  shown: ReadonlyMap<number, PresentedFrameRecord>,
): ReceiverClock | null {
  return fitReceiverClock(
    open.flatMap(({ line, rows, repairRows }) => {
      const receiveMs = shown.get(line.rtpTimestamp)?.receiveMs ?? null;
      if (receiveMs === null || rows.length === 0 || repairRows.length > 0) return [];
      // NaN if the arrival of a packet is unknown
      const lastPacketMs = rows.reduce((last, row) => Math.max(last, receivedMs[row]!), -Infinity);
      return Number.isFinite(lastPacketMs) ? [{ lastPacketMs, receiveMs }] : [];
    }),
  );
}

function fillFirstCopies(
  { line, rows }: Open,
  table: PacketTable,
  fates: PacketFates | null,
  { arrivedMs, isLost }: PacketArrivals,
): void {
  for (const row of rows) {
    const offeredMs = fates?.offeredMs[row] ?? NaN;
    if (!Number.isNaN(offeredMs)) {
      line.offeredMs = Math.min(line.offeredMs ?? Infinity, offeredMs);
      const leftMs = offeredMs + fates!.sojournMs[row]!;
      const left = reasonOf(fates!.fate[row]!) === undefined && !Number.isNaN(leftMs);
      if (left) line.leftMs = Math.max(line.leftMs ?? -Infinity, leftMs);
    }
    if (isLost(row)) {
      line.lost++;
      if (fates !== null && !Number.isNaN(offeredMs)) line.dropped[reasonOf(fates.fate[row]!) ?? 'behind']++;
      line.loss ??= { sentMs: table.sentMs[row]!, seenMs: nextArrival(row, table, arrivedMs), ...hopOf(fates, row) };
    } else if (arrivedMs[row]! >= (line.last?.arrivedMs ?? -Infinity)) {
      line.last = { sentMs: table.sentMs[row]!, queue: queueOf(fates, row), arrivedMs: arrivedMs[row]! };
    }
  }
}

/**
 * Returns the arrival of the next media packet after a row of the table; null if none of the next `mostPacketsBehind`
 * packets arrived.
 */
function nextArrival(row: number, { length, kind }: PacketTable, arrivedMs: Float64Array): number | null {
  for (let next = row + 1; next < Math.min(length, row + mostPacketsBehind); next++) {
    if (kind[next] === media && Number.isFinite(arrivedMs[next]!)) return arrivedMs[next]!;
  }
  return null;
}

function fillRepairs({ line, repairRows }: Open, table: PacketTable, { arrivedMs, isLost }: PacketArrivals): void {
  if (repairRows.length === 0) return;
  const arrived = repairRows.map(row => arrivedMs[row]!).filter(ms => Number.isFinite(ms));
  line.repairs = {
    packets: repairRows.length,
    firstSentMs: table.sentMs[repairRows[0]!]!,
    lost: repairRows.filter(isLost).length,
    lastArrivedMs: arrived.length === 0 ? null : Math.max(...arrived),
  };
}

function fillEnd(
  { line, rows, repairRows }: Open,
  { arrivedMs }: PacketArrivals,
  shown: PresentedFrameRecord | undefined,
): void {
  const repaired = repairRows
    .map(row => arrivedMs[row]!)
    .filter(ms => Number.isFinite(ms))
    .sort((a, b) => a - b);
  const lastMs =
    line.last === null || !Number.isFinite(line.last.arrivedMs) || rows.some(row => arrivedMs[row] === Infinity)
      ? null
      : line.last.arrivedMs;
  const wholeMs =
    line.lost === 0
      ? lastMs
      : repaired.length < line.lost
        ? null
        : Math.max(lastMs ?? -Infinity, repaired[line.lost - 1]!);
  line.completeMs = shown?.receiveMs ?? (shown === undefined ? wholeMs : (wholeMs ?? shown.presentationMs));
  line.presentedMs = shown?.presentationMs ?? null;
  line.decodingMs = shown?.processingMs ?? null;
}
