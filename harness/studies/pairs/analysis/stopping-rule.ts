/**
 * Rules for the end of a pair's trials: its medians are known to within a half width, more trials would not achieve
 * that, or the number of trials is exhausted.
 *
 * `sequential` looks after every trial, with ranks that allow for it. From the twelfth trial on it gives a pair up if
 * the spread so far makes a narrow interval unlikely even at the last trial. `prudentia` is the paper's rule: looks at
 * 10, 20 and 30 trials, each as if it were the only one (Philip et al., SIGCOMM 2024, section 3.4). The paper does not
 * state its kind of interval; here it is the exact one. `fixed` runs a number of trials and looks once.
 */
import { intervalRank } from '../../../../core/stats/median-interval.ts';
import { ascending, median } from '../../../../core/stats/quantile.ts';
import { sequentialRanks } from './sequential-ranks.ts';

export const stoppingRules = ['sequential', 'prudentia', 'fixed'] as const;
export type StoppingRuleId = (typeof stoppingRules)[number];

export type Interval = { low: number; high: number };

/** `open`: more trials are needed. `futile`: more would not help. `exhausted`: all trials were run. */
export type StoppingState = 'open' | 'converged' | 'futile' | 'exhausted';

export type Decision = {
  state: StoppingState;
  /** Interval of each side's median. Null if there are too few trials. */
  intervals: (Interval | null)[];
};

/** Trials before a pair may be given up. */
const firstFutileTrials = 12;
/** A pair is given up if its expected interval exceeds the wanted one by more than this factor. */
const futileFactor = 1.6;
const confidence = 0.95;
/** Trials between the paper's looks. */
const batch = 10;

export class StoppingRule {
  readonly id: StoppingRuleId;
  readonly most: number;
  readonly #ranks: readonly number[];

  /** `most`: maximum number of trials of a pair. */
  constructor(id: StoppingRuleId, most: number) {
    this.id = id;
    this.most = most;
    this.#ranks = id === 'sequential' ? sequentialRanks(most) : [];
  }

  /** Least number of trials after which the rule can end a pair. */
  get fewest(): number {
    if (this.id === 'sequential') return Math.max(1, this.#ranks.findIndex(rank => rank > 0) + 1);
    return this.id === 'fixed' ? this.most : Math.min(batch, this.most);
  }

  /**
   * Decides if a pair needs more trials. `sides`: a value for each trial, for each side; all have equal length.
   * `halfWidth`: wanted precision of the medians, in the values' unit.
   */
  decide(sides: readonly (readonly number[])[], halfWidth: number): Decision {
    const n = sides[0]?.length ?? 0;
    const sorted = sides.map(ascending);
    const intervals = sorted.map(values => this.#interval(values));
    const state = (): StoppingState => {
      if (n === 0 || !this.#looksAt(n)) return 'open';
      if (
        intervals.every((interval, k) => interval !== null && halfWidthOf(interval, median(sorted[k]!)!) <= halfWidth)
      )
        return 'converged';
      if (n >= this.most) return 'exhausted';
      return this.id === 'sequential' &&
        n >= firstFutileTrials &&
        sorted.some(values => this.#isFutile(values, halfWidth))
        ? 'futile'
        : 'open';
    };
    return { state: state(), intervals };
  }

  #looksAt(n: number): boolean {
    if (n >= this.most) return true;
    return this.id === 'sequential' || (this.id === 'prudentia' && n % batch === 0);
  }

  #interval(sorted: readonly number[]): Interval | null {
    const n = sorted.length;
    // The exact rank is for other rules, which have no sequential ranks, and for more values than planned trials.
    const rank = this.#ranks[n - 1] ?? exactRank(n);
    return rank === 0 ? null : { low: sorted[rank - 1]!, high: sorted[n - rank]! };
  }

  /** True if the expected interval after the last trial, by the spread so far, is far too wide. */
  #isFutile(sorted: readonly number[], halfWidth: number): boolean {
    const at = (p: number) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(p * (sorted.length - 1))))]!;
    const edge = (this.#ranks.at(-1)! - 1) / (this.most - 1);
    return halfWidthOf({ low: at(edge), high: at(1 - edge) }, median(sorted)!) > futileFactor * halfWidth;
  }
}

function halfWidthOf({ low, high }: Interval, middle: number): number {
  return Math.max(middle - low, high - middle);
}

/** Returns the rank with 95 % coverage for this n alone. 0 below six trials, where no rank has it. */
function exactRank(n: number): number {
  const fewest = 6;
  return n < fewest ? 0 : intervalRank(n, confidence);
}
