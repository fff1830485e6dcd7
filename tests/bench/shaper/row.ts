/** Rows of the benchmark's table, and how they are measured, repeated and printed. */
import { ascending, median } from '../../../core/stats/quantile.ts';
import { disturbance } from '../../../shaper/calibrate/judge.ts';
import type { Observed } from '../../../shaper/calibrate/steps.ts';
import type { Bench } from './bench.ts';

export type Row = {
  what: string;
  mustReach: string;
  format(value: number): string;
  /** Of the median to what must be reached. */
  ratio(median: number): number;
};

/** How senders and machine fared. */
export type Beside = Pick<Observed<unknown>, 'senders' | 'wakeUps'>;

export type Outcome = { value: number; reached: boolean };

/** Something that is done several times, and the rows that it gives. */
export type Measurement = {
  rows: readonly Row[];
  /** One outcome a row, and what disturbed them; null outcomes where they themselves tell that they were spoilt. */
  measure(bench: Bench): Promise<{ outcomes: Outcome[] | null; beside: readonly Beside[] }>;
};

/** A row whose value must be at most `limit`. */
export function atMost(what: string, limit: number, format: (value: number) => string): Row {
  return {
    what,
    mustReach: `at most ${format(limit)}`,
    format,
    ratio: value => (limit === 0 ? (value === 0 ? 1 : Infinity) : value / limit),
  };
}

/** Measures `repeats` times; what the machine disturbed is left out and done again, up to twice as often. */
export async function repeat(
  bench: Bench,
  measurement: Measurement,
  repeats: number,
): Promise<{ outcomes: Outcome[][]; disturbed: number }> {
  const outcomes: Outcome[][] = [];
  let disturbed = 0;
  while (outcomes.length < repeats && disturbed <= 2 * repeats) {
    const { outcomes: found, beside } = await measurement.measure(bench);
    if (found === null || beside.some(({ wakeUps, senders }) => disturbance('overload', wakeUps, senders) !== null))
      disturbed++;
    else outcomes.push(found);
  }
  return { outcomes, disturbed };
}

/** One line of the table; undefined values where nothing could be measured. */
export function tableLine(row: Row, outcomes: readonly Outcome[], disturbed: number): string {
  const values = ascending(outcomes.map(({ value }) => value));
  const middle = median(values);
  if (middle === undefined)
    return `${row.what} | ${row.mustReach} | not measured: the machine disturbed ${disturbed} of ${disturbed} | -`;
  const missed = outcomes.filter(({ reached }) => !reached).length;
  return (
    `${row.what} | ${row.mustReach} | ${row.format(middle)} [${row.format(values[0]!)}, ` +
    `${row.format(values.at(-1)!)}], n = ${values.length}` +
    `${disturbed === 0 ? '' : ` (${disturbed} disturbed, left out)`}${missed === 0 ? '' : `, ${missed} missed`} | ` +
    `${row.ratio(middle).toFixed(2)}`
  );
}

/** Reached by the median: more than half of the repetitions reached it. */
export function isReached(outcomes: readonly Outcome[]): boolean {
  return outcomes.filter(({ reached }) => reached).length * 2 > outcomes.length;
}
