/**
 * Series of a trial in bins, from the first frame of the trial to the end of its window. They are detailed enough for a
 * chart, and small enough to be embedded in a page.
 */
import { binCount, meanPerBin, ratePerBin } from '../../core/stats/binned.ts';
import type { Reading } from '../../core/stats/counters.ts';
import { browserEstimates } from '../analysis/derive/browser-estimates.ts';
import { presentedPerBin } from '../analysis/derive/presented-times.ts';
import { delaySeries } from '../analysis/derive/queue-traffic.ts';
import { bytesOf, ownBytes } from '../analysis/derive/rates.ts';
import { bps, bytes, count, fieldsOf, ms, perSecond, seconds, text } from '../record/schema/fields.ts';
import { callerSeries } from '../record/series/caller.ts';
import { controllerSeries } from '../record/series/controller.ts';
import { pingSeries } from '../record/series/ping.ts';
import { senderSeries } from '../record/series/sender.ts';
import type { TrialRecord, Window } from '../record/trial-record.ts';
import { type Table, tableOf } from './table.ts';

/** Binned quantities, in the order of the columns. */
const quantities = {
  framesPerSecond: perSecond('frames presented per second'),
  goodputBps: bps('goodput of the subject: RTP payload of a call, else payload of all its flows'),
  othersGoodputBps: bps('goodput of all other applications together'),
  targetBps: bps("target rate of the sender's congestion control, as it was last told, once a second"),
  estimateBps: bps("estimate of the path by the sender's congestion control, where it has one: mean of the bin"),
  pacingBps: bps("rate at which the sender's pacer may send, mean of the bin"),
  ackedBps: bps('rate at which the sender is told that packets arrived, mean of the bin'),
  inFlightBytes: bytes('sent and not yet told of, mean of the bin'),
  rttMs: ms('ICMP round trip, mean of the bin'),
  queueDelayMs: ms(
    'time of the packets of the subject in the bottleneck queue, mean of the medians of 100 ms; in the window only',
  ),
};

export type BinnedQuantity = keyof typeof quantities;
export const binnedQuantities = Object.keys(quantities) as BinnedQuantity[];

export const binnedFields = fieldsOf({
  trial: text('name of its folder'),
  condition: text('short name of the condition'),
  repeat: count('repeat, from 1'),
  startS: seconds('start of the bin, from the start of the measured window; before 0 nothing is measured'),
  lengthS: seconds('length of the bin'),
  ...quantities,
});

export type BinnedSeries = {
  /** Start of the first bin, s from the start of the window. */ startS: number;
  binS: number;
  values: Record<BinnedQuantity, (number | null)[]>;
};

/** Possible lengths of bins, ms. Counters are read once a second, so shorter bins would show nothing more. */
const binLengthsMs = [500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000];

/**
 * Returns the length of the shortest bins, ms, with which `trials` trials have at most `mostValues` values in total.
 */
export function binLengthMs(trials: number, windowMs: number, mostValues: number): number {
  const fits = (binMs: number) => trials * (windowMs / binMs) * binnedQuantities.length <= mostValues;
  return binLengthsMs.find(fits) ?? binLengthsMs.at(-1)!;
}

/** Rounds values to four digits, more than a chart can show. */
const rounded = (values: readonly (number | null)[], factor = 1) =>
  values.map(value => (value === null ? null : Number((value * factor).toPrecision(4))));

/** Returns the sum of several series in each bin; null in a bin in which one of the series is null. */
function sum(series: readonly (number | null)[][]): (number | null)[] {
  return (series[0] ?? []).map((_, i) =>
    series.reduce<number | null>(
      (total, values) => (total === null || values[i] == null ? null : total + values[i]),
      0,
    ),
  );
}

/** Fills the empty bins of a state that is reported once a second. Each report holds for a second. */
function held(values: readonly (number | null)[], binMs: number): (number | null)[] {
  const bins = Math.ceil(1000 / binMs);
  return values.map(
    (value, i) => value ?? values.slice(Math.max(0, i - bins), i).findLast(before => before !== null) ?? null,
  );
}

/** Returns the growth of a counter per second in each bin; null before the first reading. */
function rateOf(readings: readonly Reading[], range: Window, binMs: number): (number | null)[] {
  const firstMs = readings[0]?.timeMs ?? Infinity;
  return ratePerBin(readings, range, binMs).map((rate, i) => (range.startMs + i * binMs < firstMs ? null : rate));
}

async function targets(record: TrialRecord): Promise<{ timeMs: number; value: number }[]> {
  const ours = (await record.read(senderSeries)).map(({ timeMs, targetBps }) => ({ timeMs, value: targetBps }));
  const browsers = (await record.read(callerSeries)).flatMap(({ timeMs, outbound }) =>
    typeof outbound?.['targetBitrate'] === 'number' ? [{ timeMs, value: outbound['targetBitrate'] }] : [],
  );
  return [...ours, ...browsers];
}

/**
 * Returns a function that gives the reported values of the congestion control by name. A sending browser reports only
 * its estimate.
 */
async function controllerStates(
  record: TrialRecord,
): Promise<(name: 'estimateBps' | 'pacingBps' | 'ackedBps' | 'inFlightBytes') => { timeMs: number; value: number }[]> {
  const ours = await record.read(controllerSeries);
  const browsers = await browserEstimates(record);
  return name =>
    [...ours, ...(name === 'estimateBps' ? browsers : [])].flatMap(
      (line: { timeMs: number; [name: string]: unknown }) => {
        const value = line[name];
        return typeof value === 'number' ? [{ timeMs: line.timeMs, value }] : [];
      },
    );
}

/** Returns the binned series of a trial; null if the trial was not measured. */
export async function binnedSeries(record: TrialRecord, binMs: number): Promise<BinnedSeries | null> {
  const { phases } = record.file;
  if (phases === null) return null;
  const before = Math.ceil((phases.windowStartMs - (record.own?.readyMs ?? phases.windowStartMs)) / binMs);
  const range: Window = { startMs: phases.windowStartMs - before * binMs, endMs: phases.windowEndMs };
  binCount(range, binMs); // throws if the range is too long, before any series is read
  const rate = (readings: readonly Reading[]) => rateOf(readings, range, binMs);
  const pings = (await record.read(pingSeries)).flatMap(({ timeMs, rttMs }) =>
    rttMs === null ? [] : [{ timeMs, value: rttMs }],
  );
  const states = await controllerStates(record);
  const state = (name: Parameters<typeof states>[0]) => rounded(held(meanPerBin(states(name), range, binMs), binMs));
  return {
    startS: (-before * binMs) / 1000,
    binS: binMs / 1000,
    values: {
      framesPerSecond: rounded(await presentedPerBin(record, binMs, range)),
      goodputBps: rounded(sum((await ownBytes(record)).map(rate)), 8),
      othersGoodputBps: rounded(sum((await bytesOf(record.others())).map(rate)), 8),
      targetBps: rounded(held(meanPerBin(await targets(record), range, binMs), binMs)),
      estimateBps: state('estimateBps'),
      pacingBps: state('pacingBps'),
      ackedBps: state('ackedBps'),
      inFlightBytes: state('inFlightBytes'),
      rttMs: rounded(meanPerBin(pings, range, binMs)),
      queueDelayMs: rounded(meanPerBin(delaySeries(await record.atFirst().queueDelay(), [record]), range, binMs)),
    },
  };
}

export type BinnedTrial = { trial: string; condition: string; repeat: number; binned: BinnedSeries | null };

/** Returns a table with one row for each bin of each trial. */
export function binnedTable(trials: readonly BinnedTrial[]): Table {
  const rows = trials.flatMap(({ trial, condition, repeat, binned }) =>
    binned === null
      ? []
      : binned.values.framesPerSecond.map((_, i) => ({
          trial,
          condition,
          repeat,
          startS: Number((binned.startS + i * binned.binS).toFixed(3)),
          lengthS: binned.binS,
          ...Object.fromEntries(binnedQuantities.map(id => [id, binned.values[id][i] ?? null])),
        })),
  );
  return tableOf(rows, binnedFields);
}
