/**
 * A table of a link over time: each row has a time and the values that hold from then on. The last row is the end of
 * the table. docs/links.md has the columns. A table is made by a reader of files (read-table.ts) or by a generator.
 */
import { CoexistError } from '../../core/errors.ts';
import { formatRate } from '../../core/text/units.ts';
import { bottleneckRates } from '../../core/vocabulary/link.ts';
import type { TableFacts } from '../../core/vocabulary/trace-facts.ts';

/** Row of a table. A missing value stays as in the row before. */
export type TableRow = {
  /** Time since the start of the table, ms. */
  atMs: number;
  /** Rate from this time on, bit/s; 0 is an outage. */
  rateBps?: number;
  /** Delay in addition to that of the path, ms. */
  delayMs?: number;
  /** Share of packets lost behind the queue, 0 to 0.9. */
  lossRatio?: number;
  /** Mean number of packets that are lost in a row, 1 or more; 1 if missing: each packet is lost independently. */
  burstPackets?: number;
  /** True while nothing leaves the link. */
  outage?: boolean;
};

/** A checked table. */
export type Table = {
  rows: readonly TableRow[];
  periodMs: number;
  /** True if the delay changes in a straight line from row to row; otherwise it changes at the rows. */
  linear: boolean;
  facts: TableFacts;
};

/** Lists of the emulator (shaper/emulator/native/core/table.h): rows in which a value changes. */
type TableLists = {
  /** `rateBps` is null if the table has outages but no rate: the link's own rate. */
  rates: { atMs: number; rateBps: number | null; suspended: boolean }[];
  delays: { atMs: number; delayMs: number }[];
  losses: { atMs: number; lossRatio: number; burstPackets: number }[];
};

/** Largest number of rows. */
export const mostRows = 2 ** 20;
const mostDelayMs = 10e3;
const mostLossRatio = 0.9;
const mostBurstPackets = 10_000;
/** Shortest table, ms, TABLE's least period of the emulator. */
const leastPeriodMs = 1;

const hint = 'docs/links.md has the format of a table';
const valueNames = {
  rateBps: 'rate',
  delayMs: 'delay',
  lossRatio: 'loss',
  burstPackets: 'bursts',
  outage: 'outage',
} as const;
const valueKeys = Object.keys(valueNames) as (keyof typeof valueNames)[];

/** Returns what is wrong with a row; undefined if nothing is. `before`: the row before it. */
function mistake(row: TableRow, before: TableRow | undefined): string | undefined {
  const { atMs, rateBps, delayMs, lossRatio, burstPackets } = row;
  const outside = (value: number | undefined, least: number, most: number) =>
    value !== undefined && !(value >= least && value <= most);
  if (!Number.isFinite(atMs)) return 'has no time';
  if (before === undefined && atMs !== 0) return `is at ${atMs} ms; the first row is at 0`;
  if (before !== undefined && atMs <= before.atMs) return `is at ${atMs} ms, not after ${before.atMs} ms`;
  if (outside(rateBps, 0, bottleneckRates.max))
    return `has a rate of ${rateBps} bit/s; a rate is 0 to ${formatRate(bottleneckRates.max)}`;
  if (outside(delayMs, 0, mostDelayMs)) return `has a delay of ${delayMs} ms; a delay is 0 to ${mostDelayMs} ms`;
  if (outside(lossRatio, 0, mostLossRatio)) return `has a loss of ${lossRatio}; a loss is a ratio of 0 to 0.9`;
  if (outside(burstPackets, 1, mostBurstPackets))
    return `has bursts of ${burstPackets} packets; they are 1 to ${mostBurstPackets}`;
  return undefined;
}

/**
 * Checks rows and returns the table. `name`: name of the table in messages. `whereOf`: returns the place of the row with
 * this index. Throws `bad-definition` with the row and the mistake.
 */
export function tableOf(
  rows: readonly TableRow[],
  {
    name,
    linear = false,
    whereOf = k => `row ${k + 1}`,
  }: { name: string; linear?: boolean; whereOf?: (k: number) => string },
): Table {
  const refuse = (what: string, mend = hint) =>
    new CoexistError('bad-definition', `link.trace: ${name}${what}`, { hint: mend });
  if (rows.length > mostRows)
    throw refuse(` has more than ${mostRows} rows`, 'make its rows longer, or cut it: startAt and loop play a part');
  for (const [k, row] of rows.entries()) {
    const what = mistake(row, rows[k - 1]);
    if (what !== undefined) throw refuse(`, ${whereOf(k)} ${what}`);
  }
  const periodMs = rows.at(-1)?.atMs ?? 0;
  if (rows.length < 2)
    throw refuse(` has ${rows.length === 0 ? 'no row' : 'one row'}; the last row is the end, so it takes two`);
  if (periodMs < leastPeriodMs) throw refuse(` lasts ${periodMs} ms; the shortest table is ${leastPeriodMs} ms`);
  const used = valueKeys.filter(key => rows.some(row => row[key] !== undefined));
  if (used.length === 0) throw refuse(' has times and no values');
  // without a word about them, a link starts without an outage, and loses packets independently
  const filled = fill([
    {
      ...(used.includes('outage') ? { outage: false } : {}),
      ...(used.includes('burstPackets') ? { burstPackets: 1 } : {}),
      ...rows[0]!,
    },
    ...rows.slice(1),
  ]);
  for (const key of used)
    if (filled[0]![key] === undefined) throw refuse(`, ${whereOf(0)} has no ${valueNames[key]}, which later rows have`);
  if (filled[0]!.burstPackets !== undefined && filled[0]!.lossRatio === undefined)
    throw refuse(' has bursts without a loss');
  for (const [k, { lossRatio = 0, burstPackets = 1 }] of filled.entries())
    if (toBadRatio(lossRatio, burstPackets) > 1)
      throw refuse(
        `, ${whereOf(k)} has a loss of ${lossRatio}, which takes longer bursts than ${burstPackets} packets`,
      );
  const facts = factsOf(filled, periodMs);
  const { min, max } = bottleneckRates;
  if (facts.rate !== null && (facts.rate.meanBps < min || facts.rate.meanBps > max))
    throw refuse(
      ` has a mean rate of ${formatRate(facts.rate.meanBps)}, and a link carries ${formatRate(min)} to ${formatRate(max)}`,
      'see the unit of its rate',
    );
  if (facts.outages !== null && facts.outages.totalMs >= periodMs) throw refuse(' lets nothing pass at any time');
  return { rows: filled, periodMs, linear, facts };
}

/** Returns the rows with every value that an earlier row has. */
function fill(rows: readonly TableRow[]): TableRow[] {
  let before: TableRow = { atMs: 0 };
  return rows.map(row => {
    const own = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as TableRow;
    return (before = { ...before, ...own });
  });
}

/** True if nothing leaves the link in this row. */
const stops = ({ outage, rateBps }: TableRow) => outage === true || rateBps === 0;

/** Ratio of packets after which the good state of Gilbert's model ends, so that `lossRatio` is the mean. */
export function toBadRatio(lossRatio: number, burstPackets: number): number {
  return burstPackets <= 1 ? 0 : lossRatio / (burstPackets * (1 - lossRatio));
}

function factsOf(rows: readonly TableRow[], periodMs: number): TableFacts {
  const first = rows[0]!;
  let [bits, lowestBps, highestBps, lost] = [0, Infinity, 0, 0];
  let [lowestMs, highestMs, delaySum] = [Infinity, 0, 0];
  let [count, longestMs, totalMs, since] = [0, 0, 0, -1];
  for (const [k, row] of rows.slice(0, -1).entries()) {
    const lastsMs = rows[k + 1]!.atMs - row.atMs;
    const rateBps = stops(row) ? 0 : (row.rateBps ?? 0);
    bits += (rateBps * lastsMs) / 1e3;
    lowestBps = Math.min(lowestBps, rateBps);
    highestBps = Math.max(highestBps, rateBps);
    lowestMs = Math.min(lowestMs, row.delayMs ?? 0);
    highestMs = Math.max(highestMs, row.delayMs ?? 0);
    delaySum += (row.delayMs ?? 0) * lastsMs;
    lost += (row.lossRatio ?? 0) * lastsMs;
    if (stops(row)) {
      if (since < 0) [count, since] = [count + 1, row.atMs];
      totalMs += lastsMs;
      longestMs = Math.max(longestMs, row.atMs + lastsMs - since);
    } else since = -1;
  }
  return {
    rows: rows.length,
    periodMs,
    rate: first.rateBps === undefined ? null : { meanBps: (bits * 1e3) / periodMs, lowestBps, highestBps },
    delay: first.delayMs === undefined ? null : { meanMs: delaySum / periodMs, lowestMs, highestMs },
    lossRatio: first.lossRatio === undefined ? null : lost / periodMs,
    outages: count === 0 ? null : { count, longestMs, totalMs },
  };
}

/** Keeps the rows in which something changes. */
function changes<T extends { atMs: number }>(rows: readonly T[]): T[] {
  const same = ({ atMs: _, ...a }: T, { atMs: __, ...b }: T) => JSON.stringify(a) === JSON.stringify(b);
  return rows.filter((row, k) => k === 0 || !same(row, rows[k - 1]!));
}

/** Returns the lists of a table for the emulator. `times`: factor of the rates. */
export function listsOf({ rows, linear }: Table, { times, loop }: { times: number; loop: boolean }): TableLists {
  const first = rows[0]!;
  // in a table that starts again, the last row has no length: only a line leads to it
  const lasting = loop ? rows.slice(0, -1) : rows;
  const hasRates = first.rateBps !== undefined || rows.some(stops);
  // during an outage the limit of a queue in time follows the rate before it, or the first one after it
  let known = rows.find(({ rateBps }) => rateBps !== undefined && rateBps > 0)?.rateBps ?? null;
  const rates = hasRates
    ? lasting.map(row => {
        if (row.rateBps !== undefined && row.rateBps > 0) known = row.rateBps;
        return { atMs: row.atMs, rateBps: known === null ? null : known * times, suspended: stops(row) };
      })
    : [];
  return {
    rates: changes(rates),
    delays:
      first.delayMs === undefined
        ? []
        : linear
          ? rows.map(({ atMs, delayMs }) => ({ atMs, delayMs: delayMs! }))
          : changes(lasting.map(({ atMs, delayMs }) => ({ atMs, delayMs: delayMs! }))),
    losses:
      first.lossRatio === undefined
        ? []
        : changes(
            lasting.map(({ atMs, lossRatio, burstPackets = 1 }) => ({ atMs, lossRatio: lossRatio!, burstPackets })),
          ),
  };
}
