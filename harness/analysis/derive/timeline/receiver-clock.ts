/**
 * Where the origin of the feedback's clock lies.
 *
 * Feedback reports arrivals (`receivedMs` of packets.jsonl) on a clock of the browser whose origin is unknown. For each
 * presented frame the browser also reports when its last packet arrived (`receiveMs`), on a clock that the harness has
 * measured. For a frame whose packets all arrived at once the two are the same moment, so the median difference over
 * such frames is the offset. Feedback has steps of 250 us (draft-holmer-rmcat-transport-wide-cc-extensions-01), or of
 * about 1 ms by RFC 8888.
 */
import { ascending, quantileOfSorted } from '../../../../core/stats/quantile.ts';

export type ReceiverClock = {
  /** Harness time = feedback's time + offsetMs. */
  offsetMs: number;
  /** Half the range that holds the middle half of the differences: how exact it is. */
  spreadMs: number;
  /** Frames it was measured with. */
  frames: number;
};

/** Fewer than these tell nothing, frames. */
const fewest = 5;

/** `lastPacketMs`: on the feedback's clock, of a frame none of whose packets was sent again. */
export function fitReceiverClock(frames: readonly { lastPacketMs: number; receiveMs: number }[]): ReceiverClock | null {
  if (frames.length < fewest) return null;
  const differences = ascending(frames.map(({ lastPacketMs, receiveMs }) => receiveMs - lastPacketMs));
  const at = (p: number) => quantileOfSorted(differences, p)!;
  return { offsetMs: at(0.5), spreadMs: (at(0.75) - at(0.25)) / 2, frames: frames.length };
}
