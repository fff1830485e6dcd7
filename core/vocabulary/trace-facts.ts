/** Facts about a packet-delivery trace, in numbers and in words, for the plan, the record and the report. */
import { counted } from '../text/counted.ts';
import { formatDuration, formatRate } from '../text/units.ts';

export type TraceFacts = {
  /** Number of opportunities to send 1500 bytes each. */
  opportunities: number;
  /** Last time in the trace, after which it starts again. */
  periodMs: number;
  meanRateBps: number;
  /** Lowest and highest rate over whole seconds from the start. A trace shorter than two seconds has its mean here. */
  lowestRateBps: number;
  highestRateBps: number;
  /** Time of the first opportunity. Nothing passes before it. */
  firstMs: number;
  /** Longest time without an opportunity, including the time before the first one. */
  longestPauseMs: number;
};

/** Traces of both directions of a link. Null: that direction follows no trace. */
export type LinkTraces = { down: TraceFacts | null; up: TraceFacts | null };

/** Longest pause that is not reported, ms. Shorter pauses are usual in traces of mobile networks. */
const usualPauseMs = 1000;

/**
 * Returns for example "mean 12 Mbit/s, 6 to 20 Mbit/s by the second, 15 s long with 15000 opportunities, the first at 1
 * ms".
 */
export function describeTrace(facts: TraceFacts): string {
  const { opportunities, periodMs, meanRateBps, lowestRateBps, highestRateBps, firstMs } = facts;
  return [
    `mean ${formatRate(meanRateBps)}`,
    `${formatRate(lowestRateBps)} to ${formatRate(highestRateBps)} by the second`,
    `${formatDuration(periodMs)} long with ${counted(opportunities, 'opportunity', 'opportunities')}`,
    `the first at ${formatDuration(firstMs)}`,
  ].join(', ');
}

/** Returns a note about long pauses. Undefined if there are none. */
export function traceNote({ firstMs, longestPauseMs, periodMs }: TraceFacts): string | undefined {
  if (firstMs > usualPauseMs) {
    const long = formatDuration(firstMs);
    return (
      `nothing passes for the first ${long} of every ${formatDuration(periodMs)}, while programs start as well: ` +
      `for a piece of a longer trace, take ${firstMs} from each of its times`
    );
  }
  if (longestPauseMs > usualPauseMs) return `nothing passes for up to ${formatDuration(longestPauseMs)}`;
  return undefined;
}
