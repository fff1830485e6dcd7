/**
 * Detection of two modes in the throughputs of a service. If the service sometimes wins and sometimes loses, no trial
 * is near the median (Philip et al., SIGCOMM 2024, observation 15).
 *
 * The rule is our own: values have two modes if the widest gap between neighbouring values, with at least a fifth of
 * the values on either side, is wider than the wanted interval. The rate of false positives has not been simulated; the
 * result only marks pairs for inspection.
 */
import { ascending } from '../../../../core/stats/quantile.ts';

/** Least part of the values that must be on each side of the gap. */
const fewestShare = 0.2;
/** Least number of values for a result. */
const fewest = 5;

/**
 * Returns the values at both edges of the gap. Undefined if no gap is wide enough. `halfWidth`: half of the least
 * width.
 */
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
