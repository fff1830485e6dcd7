/**
 * Detection of two modes. If a service sometimes wins and sometimes loses, no trial is near its median (Philip et al.,
 * SIGCOMM 2024, observation 15).
 *
 * The rule is ours: the largest gap between neighbouring values, with at least a fifth of the values on either side, is
 * wider than the wanted interval. Its rate of false positives has not been simulated; it only marks pairs for
 * inspection.
 */
import { ascending } from '../../../../core/stats/quantile.ts';

/** Least share of the values on either side of the gap. */
const fewestShare = 0.2;
/** Least number of values. */
const fewest = 5;

/** Returns the bounds of the gap. Undefined if no gap is wide enough. */
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
