/** Made-up cycles of an endless study. */
import { changesBetween } from '../../../../harness/studies/pairs/changes.ts';
import type { PairsPlan } from '../../../../harness/studies/pairs/plan.ts';
import { qualityQuantities } from '../../../../harness/studies/pairs/quality.ts';
import { summarisePairs, type TrialInFolder } from '../../../../harness/studies/pairs/summarise.ts';
import type { SiteCycle } from '../../../../reports/pairs/site/cycle.ts';
import { trials } from '../../harness/studies/pairs/support/study.ts';
import { versions } from '../../harness/support/run-folder.ts';

/** Mbit/s of each side, by cell; the same in every trial. */
export type Rates = Record<string, readonly number[]>;

export function summaryOf(of: PairsPlan, all: readonly TrialInFolder[], givenUp = new Map<string, string>()) {
  return summarisePairs({ plan: of, trials: all, quantities: qualityQuantities, givenUp });
}

/** Makes a cycle of each plan, an hour apart. */
export function siteCycles(
  plans: readonly { plan: PairsPlan; rates: Rates; trials?: number; kernel?: string }[],
): SiteCycle[] {
  const summaries = plans.map(({ plan, rates, trials: n = 7 }) =>
    summaryOf(
      plan,
      Object.entries(rates).flatMap(([cell, sides]) =>
        trials(
          plan,
          cell,
          Array.from({ length: n }, () => sides),
        ),
      ),
    ),
  );
  const cycleOf = (k: number) => ({
    summary: summaries[k]!,
    versions: { ...versions, kernel: plans[k]!.kernel ?? versions.kernel },
    run: plans[k]!.plan.run,
  });
  return plans.map((_, k) => {
    const name = String(k + 1).padStart(4, '0');
    return {
      name,
      createdMs: Date.UTC(2026, 10, 21, 5 + k),
      summary: summaries[k]!,
      address: `cycles/${name}/`,
      changes: k === 0 ? null : changesBetween(cycleOf(k - 1), cycleOf(k)),
    };
  });
}
