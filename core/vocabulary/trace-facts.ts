/** What a packet-delivery trace is, in numbers and in words: for the plan, the record and the report. */
import { counted } from '../text/counted.ts';
import { formatDuration, formatRate } from '../text/units.ts';

export type TraceFacts = {
  /** To send 1500 bytes each. */
  opportunities: number;
  /** Its last time: then it begins again. */
  periodMs: number;
  meanRateBps: number;
  /** Over whole seconds from its start; a trace of less than two seconds has its mean here. */
  lowestRateBps: number;
  highestRateBps: number;
  /** Nothing passes before. */
  firstMs: number;
  /** The longest time without an opportunity, the one before the first among them. */
  longestPauseMs: number;
};

/** Of both directions of a link; null where that one follows none. */
export type LinkTraces = { down: TraceFacts | null; up: TraceFacts | null };

/** A pause of more than this is said to be one, ms: shorter ones are usual in traces of mobile networks. */
const usualPauseMs = 1000;

/** "mean 12 Mbit/s, 6 to 20 Mbit/s by the second, 15 s long, first opportunity at 1 ms". */
export function describeTrace(facts: TraceFacts): string {
  const { opportunities, periodMs, meanRateBps, lowestRateBps, highestRateBps, firstMs } = facts;
  return [
    `mean ${formatRate(meanRateBps)}`,
    `${formatRate(lowestRateBps)} to ${formatRate(highestRateBps)} by the second`,
    `${formatDuration(periodMs)} long with ${counted(opportunities, 'opportunity', 'opportunities')}`,
    `the first at ${formatDuration(firstMs)}`,
  ].join(', ');
}

/** What is unusual in it; undefined where nothing is. */
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
