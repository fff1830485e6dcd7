/**
 * Who takes and who yields: contentiousness is what a contender leaves to the others, sensitivity what an incumbent
 * gets beside the others (Philip et al., SIGCOMM 2024, section 4), a service beside itself left out. And what neither
 * explains: the residual of a median polish (Tukey, "Exploratory Data Analysis", chapter 11) of the shares' logarithms,
 * the paper's "idiosyncratic" pairs (observation 14).
 */
import { median } from '../../../../core/stats/quantile.ts';
import type { Interval } from './stopping-rule.ts';
import { fairFrom } from './triples.ts';

/** How an incumbent fared beside a contender: median and interval of its share, 1 = fair. */
export type Share = { incumbent: string; contender: string; share: number; interval: Interval | null };

export type Rank = {
  service: string;
  /** Median share, over the others, of those that met it (contentiousness) or of itself (sensitivity). */
  share: number;
  /** Shares that it is made of. */
  n: number;
  /** Of those, the ones whose interval lies below the fair share. */
  belowFair: number;
  /** And below 90 % of it. */
  belowNinety: number;
  /** More than half lie below the fair share: the paper's "most". Null where no share has an interval. */
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

/** The most contentious first. */
export function contentiousness(shares: readonly Share[]): Rank[] {
  return rank(shares, 'contender');
}

/** The most sensitive first. */
export function sensitivity(shares: readonly Share[]): Rank[] {
  return rank(shares, 'incumbent');
}

const polishRounds = 20;

/**
 * Factor by which each pair's share differs from what its row and its column say, 1 = not at all. Empty where a share
 * is missing or 0.
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
