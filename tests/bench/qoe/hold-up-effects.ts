/**
 * What each hold-up of a part did to the viewer: evaluated for each alone, beside as many stretches of the same trial
 * in which nothing was held up. So one trial tells of many hold-ups, and its own noise is what they are judged by.
 */

import { ascending, quantileOfSorted } from '../../../core/stats/quantile.ts';
import { stallRule } from '../../../core/vocabulary/stalls.ts';

/** What was done, ms of the harness's clock; of nothing where `lengthMs` is 0. */
export type HoldUp = { lengthMs: number; fromMs: number; toMs: number };

/** What is known of one trial. Times are ms of the harness's clock. */
export type Seen = {
  /** When frames were presented, ascending. */
  presentedMs: readonly number[];
  /** Of presented frames, by the time of presentation. */
  latencies: readonly { timeMs: number; latencyMs: number }[];
  targets: readonly { timeMs: number; bps: number }[];
  /** Round trips of probes, by the time they were sent. */
  roundTrips: readonly { timeMs: number; ms: number }[];
  /** Bytes that left the bottleneck, of all senders, in stretches of equal length around a time. */
  carried: readonly { timeMs: number; bytes: number }[];
  /** What a part said of its own lateness, by the time it was told; each tells of the time since the one before. */
  readings: Readonly<Record<string, readonly { timeMs: number; ms: number }[]>>;
};

/** Over the time of a hold-up and what follows it. */
export type Effect = {
  lengthMs: number;
  /** Longest time without a new frame that touches it. */
  gapMs: number;
  /** Highest latency of a frame above the median of the trial. */
  latencyMs: number;
  /** Share of the target that was left at its lowest, of what it was before. */
  targetRatio: number;
  /** Longest round trip above the median of the trial; NaN where no probe was sent. */
  roundTripMs: number;
  /** Frames of the stream that were not presented in that time. */
  missingFrames: number;
  /** What the link carried in that time, of what it carries at the median of the trial. */
  carriedRatio: number;
  /** By name of the reading. */
  readings: Record<string, number>;
};

/** The viewer sees what comes of a hold-up by then: later than any buffer of the stream delays it, ms. */
export const afterMs = 500;
/** Time between two frames of the stream, and between two refreshes of the browser, ms. */
export const framePeriodMs = 1000 / 60;

const largest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);
const medianOf = (values: readonly number[]) => quantileOfSorted(ascending(values), 0.5) ?? NaN;

/** Longest time between two presented frames of which some part lies in [fromMs, toMs]. */
export function longestGapMs(presentedMs: readonly number[], fromMs: number, toMs: number): number {
  let longest = 0;
  for (const [i, endMs] of presentedMs.entries()) {
    const startMs = presentedMs[i - 1];
    if (startMs !== undefined && endMs > fromMs && startMs < toMs) longest = Math.max(longest, endMs - startMs);
  }
  return longest;
}

/** The reading that tells of a moment may come this much later, as the part that was held up has to take it, ms. */
const readingLagMs = 20;

function readingOf(readings: readonly { timeMs: number; ms: number }[], { fromMs, toMs }: HoldUp): number {
  const since = readings.findIndex(({ timeMs }) => timeMs > fromMs);
  const until = readings.findIndex(({ timeMs }) => timeMs > toMs + readingLagMs);
  if (since < 0) return NaN;
  return largest(readings.slice(since, until < 0 ? undefined : until + 1).map(({ ms }) => ms));
}

export function effectsOf(seen: Seen, holdUps: readonly HoldUp[]): Effect[] {
  const usualMs = medianOf(seen.latencies.map(({ latencyMs }) => latencyMs));
  const usualBytes = medianOf(seen.carried.map(({ bytes }) => bytes));
  const usualTripMs = medianOf(seen.roundTrips.map(({ ms }) => ms));
  return holdUps.map(holdUp => {
    const { lengthMs, fromMs } = holdUp;
    const toMs = holdUp.toMs + afterMs;
    const within = <T extends { timeMs: number }>(all: readonly T[]) =>
      all.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
    const trips = within(seen.roundTrips);
    const carried = within(seen.carried).map(({ bytes }) => bytes / usualBytes);
    const before = seen.targets.findLast(({ timeMs }) => timeMs < fromMs);
    return {
      lengthMs,
      gapMs: longestGapMs(seen.presentedMs, fromMs, toMs),
      latencyMs: largest(within(seen.latencies).map(({ latencyMs }) => latencyMs - usualMs)),
      targetRatio: before === undefined ? NaN : Math.min(1, ...within(seen.targets).map(({ bps }) => bps / before.bps)),
      roundTripMs: trips.length === 0 ? NaN : largest(trips.map(({ ms }) => ms - usualTripMs)),
      missingFrames: (toMs - fromMs) / framePeriodMs - within(seen.presentedMs.map(timeMs => ({ timeMs }))).length,
      carriedRatio: carried.reduce((a, b) => a + b, 0) / carried.length,
      readings: Object.fromEntries(
        Object.entries(seen.readings).map(([name, readings]) => [name, readingOf(readings, holdUp)]),
      ),
    };
  });
}

export type Spread = { median: number; least: number; most: number };

/** NaN where nothing is known. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = ascending(values.filter(value => !Number.isNaN(value)));
  return {
    median: quantileOfSorted(sorted, 0.5) ?? NaN,
    least: sorted[0] ?? NaN,
    most: sorted.at(-1) ?? NaN,
  };
}

/**
 * The shortest length from which on, and for every longer one, the median of a value lies above `most` of the
 * undisturbed stretches' and by more than `resolution` above their median; undefined where there is none.
 */
export function movesFromMs(
  effects: readonly Effect[],
  value: (effect: Effect) => number,
  resolution: number,
): number | undefined {
  const valuesAt = (lengthMs: number) =>
    ascending(effects.filter(effect => effect.lengthMs === lengthMs).map(value)).filter(v => !Number.isNaN(v));
  const quiet = valuesAt(0);
  const [usual, seldom] = [quantileOfSorted(quiet, 0.5), quantileOfSorted(quiet, 0.95)];
  if (usual === undefined || seldom === undefined) return undefined;
  const lengths = ascending([...new Set(effects.map(({ lengthMs }) => lengthMs))].filter(ms => ms > 0));
  let from: number | undefined;
  for (const lengthMs of lengths.reverse()) {
    const here = quantileOfSorted(valuesAt(lengthMs), 0.5);
    if (here === undefined || here <= seldom || here - usual <= resolution) return from;
    from = lengthMs;
  }
  return from;
}

/** What a trial would put down to the network: a stall, or a target that fell by more than it says of itself. */
const leastTargetRatio = 0.98;
const isMistaken = ({ gapMs, targetRatio }: Effect): boolean =>
  gapMs > stallRule.leastMs || targetRatio < leastTargetRatio;

/** The longest length up to which no hold-up was mistaken for the network's doing; 0 where every length was. */
export function harmlessUpToMs(effects: readonly Effect[]): number {
  const held = effects.filter(({ lengthMs }) => lengthMs > 0);
  const first = Math.min(...held.filter(isMistaken).map(({ lengthMs }) => lengthMs));
  return Math.max(0, ...held.map(({ lengthMs }) => lengthMs).filter(lengthMs => lengthMs < first));
}
