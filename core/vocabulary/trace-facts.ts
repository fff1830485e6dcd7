/**
 * Facts about traces, in numbers and in words, for the plan, the record and the report. A packet-delivery trace lists
 * delivery opportunities: times at which the link may send 1500 bytes. A table gives rate, delay, loss and outages.
 */
import { counted } from '../text/counted.ts';
import { formatDuration, formatRate, formatRatio } from '../text/units.ts';

export type TraceFacts = {
  /** Number of delivery opportunities in the trace. */
  opportunities: number;
  /** Time of the last delivery opportunity, ms. The trace then starts again. */
  periodMs: number;
  meanRateBps: number;
  /**
   * Lowest mean rate of a second, over whole seconds from the start. `highestRateBps`: the highest one. Both are the
   * mean rate if the trace is shorter than two seconds.
   */
  lowestRateBps: number;
  highestRateBps: number;
  /** Time of the first delivery opportunity, ms. The link sends nothing before it. */
  firstMs: number;
  /** Longest time without a delivery opportunity, ms. The time before the first one counts, too. */
  longestPauseMs: number;
};

/** Facts about a table. Each part is null if the table says nothing about it. Means are those over time. */
export type TableFacts = {
  rows: number;
  /** Time of the last row, ms. The table then starts again. */
  periodMs: number;
  rate: { meanBps: number; lowestBps: number; highestBps: number } | null;
  /** Delay in addition to that of the path. */
  delay: { meanMs: number; lowestMs: number; highestMs: number } | null;
  lossRatio: number | null;
  outages: { count: number; longestMs: number; totalMs: number } | null;
};

/** Facts about the traces of a link in both directions. Null: the link follows no trace in that direction. */
export type LinkTraces = {
  down: TraceFacts | null;
  up: TraceFacts | null;
  /** Facts about the tables that the link follows. Missing if it follows none, and in records of older versions. */
  tables?: { down: TableFacts | null; up: TableFacts | null };
  /**
   * Time of the trace, ms, at which the window started, in each direction. Missing in records of older versions, whose
   * traces started at 0.
   */
  startMs?: { down: number | null; up: number | null };
};

/** Longest pause of a trace that gets no note, ms. Shorter pauses are usual in traces of mobile networks. */
const usualPauseMs = 1000;

/**
 * Returns a trace in words: "mean 12 Mbit/s, 6 to 20 Mbit/s by the second, 15 s long with 15000 opportunities, the
 * first at 1 ms".
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

/** Returns a note about the long pauses of a trace. Undefined if no pause is long. */
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

/** Returns "12 Mbit/s to 80 Mbit/s (mean 40 Mbit/s)", or the value alone if all are the same. */
function rangeWords([lowest, mean, highest]: readonly string[]): string {
  return lowest === highest ? lowest! : `${lowest} to ${highest} (mean ${mean})`;
}

/** Returns a table in words: "60 s long, 12 to 80 Mbit/s (mean 40 Mbit/s), delay 2 to 60 ms, loss 0.5 %, 4 outages". */
export function describeTable({ periodMs, rate, delay, lossRatio, outages }: TableFacts): string {
  return [
    `${formatDuration(periodMs)} long`,
    ...(rate === null ? [] : [rangeWords([rate.lowestBps, rate.meanBps, rate.highestBps].map(formatRate))]),
    ...(delay === null
      ? []
      : [`delay ${rangeWords([delay.lowestMs, delay.meanMs, delay.highestMs].map(formatDuration))}`]),
    ...(lossRatio === null ? [] : [`loss ${formatRatio(lossRatio)}`]),
    ...(outages === null
      ? []
      : [`${counted(outages.count, 'outage')}, the longest ${formatDuration(outages.longestMs)}`]),
  ].join(', ');
}
