/**
 * Rules that decide when a pair needs no more trials: its medians are known to within a half width, more trials would
 * not achieve this precision, or all allowed trials were run.
 *
 * `sequential` checks after every trial, with ranks that account for repeated checks. From the twelfth trial on it
 * gives a pair up if the spread makes a narrow interval unlikely even at the last trial. `prudentia` is the paper's
 * rule: it checks at 10, 20 and 30 trials, each time as if it were the only check (Philip et al., SIGCOMM 2024, section
 * 3.4). The paper does not say how it computes intervals; here they are exact. `fixed` runs a set number of trials and
 * checks once.
 */
import { intervalRank } from '../../../../core/stats/median-interval.ts';
import { ascending, median } from '../../../../core/stats/quantile.ts';
import { sequentialRanks } from './sequential-ranks.ts';

export const stoppingRules = ['sequential', 'prudentia', 'fixed'] as const;
export type StoppingRuleId = (typeof stoppingRules)[number];

export type Interval = { low: number; high: number };

/**
 * State of a pair. `open`: more trials are needed. `futile`: more trials would not help. `exhausted`: all allowed
 * trials were run.
 */
export type StoppingState = 'open' | 'converged' | 'futile' | 'exhausted';

export type Decision = {
  state: StoppingState;
  /** Interval of the median of each side. Null if there are too few trials. */
  intervals: (Interval | null)[];
};

/** Least number of trials after which a pair may be given up. */
const firstFutileTrials = 12;
/** Factor by which the expected half width must exceed the wanted one so that a pair is given up. */
const futileFactor = 1.6;
const confidence = 0.95;
/** Number of trials between two checks of the paper's rule. */
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

  /** Least number of trials after which the rule can stop the trials of a pair. */
  get fewest(): number {
    if (this.id === 'sequential') return Math.max(1, this.#ranks.findIndex(rank => rank > 0) + 1);
    return this.id === 'fixed' ? this.most : Math.min(batch, this.most);
  }

  /**
   * Decides if a pair needs more trials. `sides`: the values of each side, one per trial; both sides have the same
   * number of values. `halfWidth`: wanted half width of the medians' intervals, in the unit of the values.
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
    // Rules without sequential ranks use the exact rank, and so does a pair with more values than planned trials.
    const rank = this.#ranks[n - 1] ?? exactRank(n);
    return rank === 0 ? null : { low: sorted[rank - 1]!, high: sorted[n - rank]! };
  }

  /** True if the interval expected after the last trial, estimated from the present spread, is far too wide. */
  #isFutile(sorted: readonly number[], halfWidth: number): boolean {
    const at = (p: number) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(p * (sorted.length - 1))))]!;
    const edge = (this.#ranks.at(-1)! - 1) / (this.most - 1);
    return halfWidthOf({ low: at(edge), high: at(1 - edge) }, median(sorted)!) > futileFactor * halfWidth;
  }
}

function halfWidthOf({ low, high }: Interval, middle: number): number {
  return Math.max(middle - low, high - middle);
}

/**
 * Returns the rank whose interval has 95 % coverage if it is checked at this n only. 0 if n is below six, where no rank
 * has this coverage.
 */
function exactRank(n: number): number {
  const fewest = 6;
  return n < fewest ? 0 : intervalRank(n, confidence);
}
