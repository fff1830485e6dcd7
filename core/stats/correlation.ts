/** Correlation of two quantities that were measured in the same runs. */
import { mean } from './quantile.ts';

/**
 * Returns Pearson's product-moment correlation, -1 to 1. Undefined if there are fewer than two pairs or one of the
 * quantities is constant.
 */
export function correlation(pairs: readonly (readonly [x: number, y: number])[]): number | undefined {
  if (pairs.length < 2) return undefined;
  const meanX = mean(pairs.map(([x]) => x))!;
  const meanY = mean(pairs.map(([, y]) => y))!;
  let squaresX = 0;
  let squaresY = 0;
  let products = 0;
  for (const [x, y] of pairs) {
    squaresX += (x - meanX) ** 2;
    squaresY += (y - meanY) ** 2;
    products += (x - meanX) * (y - meanY);
  }
  if (squaresX === 0 || squaresY === 0) return undefined;
  // rounding errors may move the quotient slightly outside of [-1, 1]
  return Math.max(-1, Math.min(1, products / Math.sqrt(squaresX * squaresY)));
}
