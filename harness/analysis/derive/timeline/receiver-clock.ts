/**
 * Offset of the feedback's clock.
 *
 * Feedback reports arrivals (`receivedMs` of packets.jsonl) on a browser clock with an unknown origin. For each
 * presented frame the browser also reports the arrival of its last packet (`receiveMs`) on a clock that the harness has
 * measured. For a frame whose packets all arrived at once the two are the same moment, so the median difference over
 * such frames is the offset. Feedback has steps of 250 us (draft-holmer-rmcat-transport-wide-cc-extensions-01), or of
 * about 1 ms by RFC 8888.
 */
import { ascending, quantileOfSorted } from '../../../../core/stats/quantile.ts';

export type ReceiverClock = {
  /** Harness time = feedback's time + offsetMs. */
  offsetMs: number;
  /** Half the interquartile range of the differences: the precision of the offset. */
  spreadMs: number;
  /** Number of frames in the measurement. */
  frames: number;
};

/** Fewest frames from which an offset is computed. */
const fewest = 5;

/** `lastPacketMs`: on the feedback's clock, of a frame without retransmissions. Null for too few frames. */
export function fitReceiverClock(frames: readonly { lastPacketMs: number; receiveMs: number }[]): ReceiverClock | null {
  if (frames.length < fewest) return null;
  const differences = ascending(frames.map(({ lastPacketMs, receiveMs }) => receiveMs - lastPacketMs));
  const at = (p: number) => quantileOfSorted(differences, p)!;
  return { offsetMs: at(0.5), spreadMs: (at(0.75) - at(0.25)) / 2, frames: frames.length };
}
