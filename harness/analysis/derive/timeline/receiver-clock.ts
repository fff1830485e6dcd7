/**
 * Measures the offset of the clock on which transport feedback reports arrivals.
 *
 * Feedback reports arrivals (`receivedMs` of packets.jsonl) on a browser clock with an unknown origin. For each
 * presented frame the browser also reports the arrival of the frame's last packet (`receiveMs`) on a clock whose offset
 * the harness has measured. For a frame whose packets all arrived at once the two are the same moment, so the median
 * difference over such frames is the offset. Feedback has steps of 250 us
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01), or of about 1 ms by RFC 8888.
 */
import { ascending, quantileOfSorted } from '../../../../core/stats/quantile.ts';

export type ReceiverClock = {
  /** Offset to add to a time of the feedback's clock to get the time on the harness's clock, ms. */
  offsetMs: number;
  /** Half the interquartile range of the measured differences, ms. It is the precision of the offset. */
  spreadMs: number;
  /** Number of frames from which the offset is computed. */
  frames: number;
};

/** Smallest number of frames from which an offset is computed. */
const fewest = 5;

/**
 * Computes the offset of the feedback's clock. `lastPacketMs`: arrival of a frame's last packet on the feedback's
 * clock, for frames without retransmissions. Null if there are too few frames.
 */
export function fitReceiverClock(frames: readonly { lastPacketMs: number; receiveMs: number }[]): ReceiverClock | null {
  if (frames.length < fewest) return null;
  const differences = ascending(frames.map(({ lastPacketMs, receiveMs }) => receiveMs - lastPacketMs));
  const at = (p: number) => quantileOfSorted(differences, p)!;
  return { offsetMs: at(0.5), spreadMs: (at(0.75) - at(0.25)) / 2, frames: frames.length };
}
