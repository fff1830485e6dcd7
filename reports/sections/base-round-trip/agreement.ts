/**
 * Whether a link that does not serialise gives other results than one that does, for each base round-trip time.
 *
 * The trials of two conditions are independent samples here (core/stats/shift.ts), as those of two runs are. With six
 * trials of each, samples that lie apart have a p of 0.002; six pairs have 0.03 at best, which no correction for the
 * tests of a study leaves below 0.05. A difference is stated from six trials of each on, where p is below 0.05 after
 * the correction for all tests of the section, and the interval of the difference does not contain 0.
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

/** Trials of each link from which on something is said, as in the verdict. */
export const fewest = fewestPairs(significance);

/** One quantity at one base round-trip time. */
export type Compared = {
  quantity: Summary['quantities'][number];
  /** Not serialising minus serialising. */
  shift: Shift;
  differs: boolean;
};

/** Two links of the same base round-trip time. */
export type Meeting = {
  rttMs: number;
  trials: { serialising: number; other: number };
  /** Empty where the trials are too few. */
  compared: Compared[];
};

/** Two backends with one flood, over the base round-trip times that both have, ascending. */
export type Agreement = { flood: string; serialising: Backend; other: Backend; meetings: Meeting[] };

export type Agreements = {
  agreements: Agreement[];
  /** Tests that can find something, which are corrected for one another. */
  tests: number;
  /** Trials of each link that one difference alone would take among so many tests. */
  takes: number;
};

/** What formed the link, where the study left that to the machine; nothing while no trial tells. */
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
    // a service that does not tell which frames were shown may tell which were decoded
    const substitute = id === 'frame-rate' ? compare('decoded-frame-rate', a, b, summary) : undefined;
    return compare(id, a, b, summary) ?? substitute ?? [];
  });
  return { rttMs, trials: { serialising: a.trials, other: b.trials }, compared };
}

/** Corrects the tests that can have a small p for one another, and marks the differences. */
function judge(all: readonly Compared[]): number {
  const able = all.filter(({ shift: { leastP } }) => leastP !== null && leastP < significance);
  for (const [i, p] of correctedPs(able.map(one => one.shift.p!)).entries()) {
    const { low, high } = able[i]!.shift;
    able[i]!.differs = p < significance && (low! > 0 || high! < 0);
  }
  return able.length;
}

/** Each backend that does not serialise against the first of the study that does. */
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
