/**
 * Compares links that do not serialise packets with links that do, at each base round-trip time.
 *
 * The trials of two conditions are treated as independent samples (core/stats/shift.ts), like those of two runs. With
 * six trials of each condition, samples that do not overlap have p = 0.002. A test of six pairs would have p = 0.03 at
 * best, and the correction for the number of tests in a study always raises this above 0.05. A difference is stated if
 * each link has at least six trials, p is below 0.05 after the correction for all tests of the section, and the
 * interval of the difference does not contain 0.
 */

import { fewestTrials } from '../../../core/stats/choices.ts';
import { correctedPs, significance } from '../../../core/stats/false-discovery.ts';
import { type Shift, shift } from '../../../core/stats/shift.ts';
import { fewestPairs } from '../../../core/stats/signed-rank.ts';
import { isSerialising } from '../../../core/vocabulary/backends.ts';
import { headline } from '../../../core/vocabulary/headline.ts';
import type { ConditionSummary, Summary } from '../../../harness/analysis/summary/summary.ts';
import { quantityOf } from '../../format.ts';
import type { ReportData } from '../../report.ts';
import type { Backend, Field } from './fields.ts';

/** Least number of trials of each link with which a difference can be stated. The verdict uses the same number. */
export const fewest = fewestPairs(significance);

/** Comparison of one quantity on two links, at one base round-trip time. */
export type Compared = {
  quantity: Summary['quantities'][number];
  /** Value on the link that does not serialise, minus the value on the link that does. */
  shift: Shift;
  differs: boolean;
};

/** Comparison of two links at one base round-trip time. */
export type Meeting = {
  rttMs: number;
  trials: { serialising: number; other: number };
  /** Comparisons of the quantities. Empty if there are too few trials. */
  compared: Compared[];
};

/**
 * Comparison of two backends under one flood. `meetings`: comparisons at each base round-trip time that both have,
 * ascending.
 */
export type Agreement = { flood: string; serialising: Backend; other: Backend; meetings: Meeting[] };

export type Agreements = {
  agreements: Agreement[];
  /** Number of tests that can reach significance. The p of each is corrected for this number. */
  tests: number;
  /**
   * Number of trials on each link with which a difference in a single quantity can be significant, given `tests` tests.
   */
  takes: number;
};

/**
 * Returns the backend that formed the link of these conditions. If the study left the choice to the machine, the first
 * trial reports it; undefined or null if it does not.
 */
function formedBy(backend: Backend, conditions: readonly ConditionSummary[], { records }: Pick<ReportData, 'records'>) {
  return backend === 'auto' ? records.get(conditions[0]?.id ?? '')?.[0]?.file.backend : backend;
}

function valuesOf({ id }: ConditionSummary, quantity: string, { trials }: Pick<Summary, 'trials'>): number[] {
  return trials
    .filter(trial => trial.condition === id && trial.metrics !== null)
    .flatMap(({ metrics }) => metrics![quantity] ?? []);
}

function compare(quantity: string, a: ConditionSummary, b: ConditionSummary, summary: Summary): Compared | undefined {
  const found = shift(valuesOf(a, quantity, summary), valuesOf(b, quantity, summary));
  if (Math.min(found.nA, found.nB) < fewest) return undefined;
  return { quantity: quantityOf(summary.quantities, quantity), shift: found, differs: false };
}

function meet(rttMs: number, a: ConditionSummary, b: ConditionSummary, summary: Summary): Meeting {
  const compared = headline.flatMap(id => {
    // a service that does not report presented frames may report decoded ones
    const substitute = id === 'frame-rate' ? compare('decoded-frame-rate', a, b, summary) : undefined;
    return compare(id, a, b, summary) ?? substitute ?? [];
  });
  return { rttMs, trials: { serialising: a.trials, other: b.trials }, compared };
}

/**
 * Corrects the p of all tests that can reach significance, and sets `differs` of each comparison. Returns the number of
 * these tests.
 */
function judge(all: readonly Compared[]): number {
  const able = all.filter(({ shift: { leastP } }) => leastP !== null && leastP < significance);
  for (const [i, p] of correctedPs(able.map(one => one.shift.p!)).entries()) {
    const { low, high } = able[i]!.shift;
    able[i]!.differs = p < significance && (low! > 0 || high! < 0);
  }
  return able.length;
}

/** Compares each backend that does not serialise with the first backend of the study that does. */
export function agreementsOf(fields: readonly Field[], report: ReportData): Agreements {
  const agreements = fields.flatMap(({ flood, backends, rttsMs, at }): Agreement[] => {
    const known = backends.flatMap(backend => {
      const formed = formedBy(
        backend,
        rttsMs.flatMap(rttMs => at(backend, rttMs) ?? []),
        report,
      );
      return formed == null ? [] : [{ backend, serialises: isSerialising(formed) }];
    });
    const serialising = known.find(({ serialises }) => serialises)?.backend;
    if (serialising === undefined) return [];
    return known
      .filter(({ serialises }) => !serialises)
      .map(({ backend: other }) => ({
        flood,
        serialising,
        other,
        meetings: rttsMs.flatMap(rttMs => {
          const [a, b] = [at(serialising, rttMs), at(other, rttMs)];
          return a === undefined || b === undefined ? [] : [meet(rttMs, a, b, report.summary)];
        }),
      }));
  });
  const tests = judge(agreements.flatMap(({ meetings }) => meetings.flatMap(({ compared }) => compared)));
  return { agreements, tests, takes: fewestTrials(significance, tests) };
}
