/**
 * Random courses with given quantiles. A course is made of scores, which say when values are high and when low; the
 * scores are then replaced, by their ranks, with the quantiles of a distribution. So even a short course has exactly the
 * distribution, however slowly it changes.
 */
import type { Random } from '../../core/random.ts';

/** A normal variable (Box and Muller, 1958). */
function gaussian(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** Scores of a process without jumps: autoregressive of order 1, whose correlation falls to 1/e in `steps` steps. */
export function slowScores(random: Random, count: number, steps: number): number[] {
  const keep = Math.exp(-1 / steps);
  const add = Math.sqrt(1 - keep ** 2);
  let score = gaussian(random);
  return Array.from({ length: count }, () => (score = keep * score + add * gaussian(random)));
}

/** Replaces scores by the quantiles of their ranks. `quantile`: value below which a share of 0 to 1 lies. */
export function byRank(scores: readonly number[], quantile: (share: number) => number): number[] {
  const order = scores.map((_, k) => k).sort((a, b) => scores[a]! - scores[b]! || a - b);
  const values = new Array<number>(scores.length);
  for (const [rank, k] of order.entries()) values[k] = quantile((rank + 0.5) / scores.length);
  return values;
}

/** Returns the quantile function through points (share, value), a straight line from point to point. */
export function throughPoints(points: readonly (readonly [share: number, value: number])[]): (share: number) => number {
  return share => {
    const next = Math.max(
      1,
      points.findIndex(([at]) => at >= share),
    );
    const [[fromShare, from], [toShare, to]] = [points[next - 1]!, points[next]!];
    return from + ((to - from) * (share - fromShare)) / (toShare - fromShare);
  };
}

/**
 * Returns the quantile function of a log-normal distribution. `sigma`: standard deviation of the logarithm. The normal
 * quantile is that of Tukey's lambda distribution with 0.1349, which is near enough to it between 0.1 and 99.9 %.
 */
export function logNormal(median: number, sigma: number): (share: number) => number {
  const lambda = 0.1349;
  const scale = 0.6745 / ((0.75 ** lambda - 0.25 ** lambda) / lambda);
  return share => median * Math.exp((sigma * scale * (share ** lambda - (1 - share) ** lambda)) / lambda);
}

/** Rounds to `digits` decimals, so that tables are short and the same on every machine. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
