/**
 * When to stop a pair: its medians are known to within a half width, more trials would not get them there, or the
 * number of trials is exhausted.
 *
 * `sequential` looks after every trial, by ranks that allow for it, and gives a pair up from the twelfth trial on where
 * the spread so far promises no narrow interval even at the last. `prudentia` is the paper's: looks at 10, 20 and 30
 * trials, each as if it were the only one (Philip et al., SIGCOMM 2024, section 3.4; their interval's kind is not told,
 * the exact one is taken). `fixed` takes a number of trials and looks once.
 */
import { intervalRank } from '../../../../core/stats/median-interval.ts';
import { ascending, median } from '../../../../core/stats/quantile.ts';
import { sequentialRanks } from './sequential-ranks.ts';

export const stoppingRules = ['sequential', 'prudentia', 'fixed'] as const;
export type StoppingRuleId = (typeof stoppingRules)[number];

export type Interval = { low: number; high: number };

/** `open`: more trials are due. `futile`: more would not help. `exhausted`: the last trial was had. */
export type StoppingState = 'open' | 'converged' | 'futile' | 'exhausted';

export type Decision = {
  state: StoppingState;
  /** Of each side's median; null where this many trials give none. */
  intervals: (Interval | null)[];
};

/** Trials before a pair may be given up. */
const firstFutileTrials = 12;
/** How much wider than wanted the interval must promise to be. */
const futileFactor = 1.6;
const confidence = 0.95;
/** The paper's looks. */
const batch = 10;

export class StoppingRule {
  readonly id: StoppingRuleId;
  readonly most: number;
  readonly #ranks: readonly number[];

  /** `most`: trials that a pair may have. */
  constructor(id: StoppingRuleId, most: number) {
    this.id = id;
    this.most = most;
    this.#ranks = id === 'sequential' ? sequentialRanks(most) : [];
  }

  /** Trials from which the rule can say that a pair is done. */
  get fewest(): number {
    if (this.id === 'sequential') return Math.max(1, this.#ranks.findIndex(rank => rank > 0) + 1);
    return this.id === 'fixed' ? this.most : Math.min(batch, this.most);
  }

  /**
   * `sides`: one value a trial of each side, all equally many. `halfWidth`: how well the medians are wanted, in the
   * values' unit.
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
    // more values than trials may be had: a number that nobody looked at on the way
    const rank = this.#ranks[n - 1] ?? exactRank(n);
    return rank === 0 ? null : { low: sorted[rank - 1]!, high: sorted[n - rank]! };
  }

  /** Whether the interval after the last trial, by the spread so far, would still be too wide by far. */
  #isFutile(sorted: readonly number[], halfWidth: number): boolean {
    const at = (p: number) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(p * (sorted.length - 1))))]!;
    const edge = (this.#ranks.at(-1)! - 1) / (this.most - 1);
    return halfWidthOf({ low: at(edge), high: at(1 - edge) }, median(sorted)!) > futileFactor * halfWidth;
  }
}

function halfWidthOf({ low, high }: Interval, middle: number): number {
  return Math.max(middle - low, high - middle);
}

/** The rank that covers 95 % at this n alone; 0 below six, where none does. */
function exactRank(n: number): number {
  const fewest = 6;
  return n < fewest ? 0 : intervalRank(n, confidence);
}
