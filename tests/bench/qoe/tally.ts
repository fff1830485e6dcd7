/** What became of the faults of one kind, and whether that is enough. */
import type { Cause } from '../../../core/vocabulary/stalls.ts';
import type { AttributedGap } from '../../../harness/analysis/derive/attribution/attribute.ts';

/** Share of the stalls that must be put down to what made them, of every kind of fault. */
export const leastShare = 0.95;
/** A stall that begins this long after a fault still comes of it, ms. */
const afterMs = 500;

export type Span = { fromMs: number; toMs: number };

export type Outcome = { spans: readonly Span[]; stalls: readonly AttributedGap[] };

export type Tally = {
  what: string;
  expected: readonly Cause[];
  injected: number;
  /** Faults that made a stall. */
  stalling: number;
  /** One stall may come of two faults. */
  stalls: number;
  wrong: readonly AttributedGap[];
};

/** The longest stall that came of a fault. */
function stallOf({ fromMs, toMs }: Span, stalls: readonly AttributedGap[]): AttributedGap | undefined {
  return stalls
    .filter(stall => stall.startMs < toMs + afterMs && stall.endMs > fromMs)
    .sort((a, b) => b.lengthMs - a.lengthMs)[0];
}

/** Counts the trials of one kind of fault. */
export function tallyOf(what: string, expected: readonly Cause[], trials: readonly Outcome[]): Tally {
  const made = trials.flatMap(({ spans, stalls }) => spans.flatMap(span => stallOf(span, stalls) ?? []));
  const stalls = [...new Set(made)];
  return {
    what,
    expected,
    injected: trials.reduce((sum, { spans }) => sum + spans.length, 0),
    stalling: made.length,
    stalls: stalls.length,
    wrong: stalls.filter(({ cause }) => !expected.includes(cause)),
  };
}

/** A kind that made no stall has shown nothing, and is missed. */
export function isKept({ stalls, wrong }: Tally): boolean {
  return stalls > 0 && (stalls - wrong.length) / stalls >= leastShare;
}

/** The line of a kind of fault, and one for each stall that was put down to something else. */
export function linesOf(tally: Tally): string[] {
  const { what, expected, injected, stalling, stalls, wrong } = tally;
  const otherwise = [...new Set(wrong.map(({ cause }) => cause))].join(', ') || '-';
  return [
    [
      what,
      expected.join(' or '),
      `${stalling} of ${injected}`,
      stalls === 0 ? '-' : `${stalls - wrong.length} of ${stalls}`,
      otherwise,
      isKept(tally) ? 'kept' : 'missed',
    ].join(' | '),
    ...wrong.map(({ cause, evidence }) => `    ${cause}: ${evidence}`),
  ];
}

/** All kinds in one line; the limit is each kind's own. */
export function totalLine(tallies: readonly Tally[]): string {
  const sum = (count: (tally: Tally) => number) => tallies.reduce((total, tally) => total + count(tally), 0);
  const [stalls, wrong] = [sum(tally => tally.stalls), sum(tally => tally.wrong.length)];
  const missed = tallies.filter(tally => !isKept(tally)).map(({ what }) => what);
  return (
    `in all: ${sum(tally => tally.stalling)} of ${sum(tally => tally.injected)} made a stall; ` +
    `${stalls - wrong} of ${stalls} stalls put down rightly` +
    `${stalls === 0 ? '' : `, ${(((stalls - wrong) / stalls) * 100).toFixed(1)} %`} (limit ${leastShare * 100} % of ` +
    `each kind${missed.length === 0 ? '' : `, missed by: ${missed.join('; ')}`})`
  );
}
