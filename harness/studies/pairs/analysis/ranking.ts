/**
 * Ranks of services (Philip et al., SIGCOMM 2024, section 4). The contentiousness of a contender is the share that it
 * leaves to other services. The sensitivity of an incumbent is the share that it gets beside other services. Pairs of a
 * service with itself are left out.
 *
 * Residuals are computed by a median polish (Tukey, "Exploratory Data Analysis", chapter 11) of the logarithms of the
 * shares. Pairs with large residuals are the paper's "idiosyncratic" pairs (observation 14).
 */
import { median } from '../../../../core/stats/quantile.ts';
import type { Interval } from './stopping-rule.ts';
import { fairFrom } from './triples.ts';

/** Result of an incumbent beside a contender: median of the incumbent's share (1 is fair), with its interval. */
export type Share = { incumbent: string; contender: string; share: number; interval: Interval | null };

export type Rank = {
  service: string;
  /**
   * Median over the pairs with other services. For contentiousness: of the other services' shares. For sensitivity: of
   * the ranked service's own shares.
   */
  share: number;
  /** Number of shares in the median. */
  n: number;
  /** Number of shares whose whole interval is below the fair share. */
  belowFair: number;
  /** Number of shares whose whole interval is below 90 % of the fair share. */
  belowNinety: number;
  /**
   * True if more than half of the intervals are below the fair share: the paper's "most". Null if no share has an
   * interval.
   */
  isMarked: boolean | null;
};

type Role = 'incumbent' | 'contender';

function rank(shares: readonly Share[], of: Role): Rank[] {
  const others = shares.filter(({ incumbent, contender }) => incumbent !== contender);
  const services = [...new Set(others.map(share => share[of]))];
  return services
    .map((service): Rank => {
      const own = others.filter(share => share[of] === service);
      const below = (line: number) => own.filter(({ interval }) => interval !== null && interval.high < line).length;
      const known = own.some(({ interval }) => interval !== null);
      return {
        service,
        share: median(own.map(({ share }) => share))!,
        n: own.length,
        belowFair: below(1),
        belowNinety: below(fairFrom),
        isMarked: known ? below(1) > own.length / 2 : null,
      };
    })
    .sort((a, b) => a.share - b.share);
}

/** Returns the ranks of the contenders, the most contentious first. */
export function contentiousness(shares: readonly Share[]): Rank[] {
  return rank(shares, 'contender');
}

/** Returns the ranks of the incumbents, the most sensitive first. */
export function sensitivity(shares: readonly Share[]): Rank[] {
  return rank(shares, 'incumbent');
}

const polishRounds = 20;

/**
 * Returns the factor by which each pair's share differs from the share that the usual effects of contender and
 * incumbent predict; 1 is no difference. Empty if any share is missing or 0.
 */
export function residuals(shares: readonly Share[]): { incumbent: string; contender: string; factor: number }[] {
  const incumbents = [...new Set(shares.map(share => share.incumbent))];
  const contenders = [...new Set(shares.map(share => share.contender))];
  const rows = contenders.map(contender =>
    incumbents.map(
      incumbent => shares.find(share => share.incumbent === incumbent && share.contender === contender)?.share,
    ),
  );
  if (rows.some(row => row.some(share => share === undefined || share <= 0))) return [];
  const left = rows.map(row => row.map(share => Math.log(share!)));
  for (let round = 0; round < polishRounds; round++) {
    for (const row of left) subtract(row, median(row)!);
    for (const k of incumbents.keys()) {
      const middle = median(left.map(row => row[k]!))!;
      for (const row of left) row[k]! -= middle;
    }
  }
  return contenders.flatMap((contender, r) =>
    incumbents.map((incumbent, k) => ({ incumbent, contender, factor: Math.exp(left[r]![k]!) })),
  );
}

function subtract(row: number[], value: number): void {
  for (const k of row.keys()) row[k]! -= value;
}
