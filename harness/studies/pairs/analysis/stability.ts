/**
 * Two modes: a service that now wins and now loses has a median that nobody ever sees (Philip et al., SIGCOMM 2024,
 * observation 15). Own rule: the largest gap between neighbouring values with at least a fifth of them on either side,
 * wider than the interval that was wanted. How often it finds two modes where there is one has not been simulated; it
 * marks pairs for a look, no more.
 */
import { ascending } from '../../../../core/stats/quantile.ts';

/** Share of the values on either side of the gap, at least. */
const fewestShare = 0.2;
/** Fewer values make no modes. */
const fewest = 5;

/** The two sides' bounds of the gap, or undefined where there is none so wide. */
export function twoModes(values: readonly number[], halfWidth: number): { below: number; above: number } | undefined {
  if (values.length < fewest) return undefined;
  const sorted = ascending(values);
  const beside = Math.ceil(fewestShare * sorted.length);
  let widest = { below: 0, above: 0 };
  for (let k = beside; k <= sorted.length - beside; k++) {
    const [below, above] = [sorted[k - 1]!, sorted[k]!];
    if (above - below > widest.above - widest.below) widest = { below, above };
  }
  return widest.above - widest.below > 2 * halfWidth ? widest : undefined;
}
