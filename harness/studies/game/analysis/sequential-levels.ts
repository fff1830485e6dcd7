/**
 * Levels of one-sided bounds of a mean that may be checked after every trial. The probability that a bound is wrong at
 * any check, up to the last one, is at most alpha.
 *
 * The bounds are group-sequential with alpha spending (Lan and DeMets, Biometrika 1983): alpha is spent in proportion
 * to the information (Kim and DeMets, Biometrika 1987, power family with exponent 1). The level of each check follows
 * from the recursion of Armitage, McPherson and Rowe (J. R. Statist. Soc. A, 1969) over a walk of Gaussian steps. If
 * the spread is estimated, the level of each check is applied to Student's t-distribution (Jennison and Turnbull, Group
 * Sequential Methods, section 4.4).
 */

/** Grid width of the walk, in standard deviations of one step. */
const grid = 0.1;
/** Distance from the mean at which a Gaussian step is truncated, in standard deviations. */
const reach = 5;

/** Returns P(Z > z) of the standard normal distribution. */
function normalTail(z: number): number {
  // Formula 26.2.17 of Abramowitz and Stegun has 7 digits, too few for small levels. So a series is used up to z = 3,
  // and for larger z the continued fraction of the complementary error function.
  if (z < 0) return 1 - normalTail(-z);
  if (z > 3) {
    let fraction = 0;
    for (let k = 60; k >= 1; k--) fraction = k / (z + fraction);
    return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / (z + fraction);
  }
  let term = z;
  let sum = z;
  for (let k = 1; k < 100; k++) {
    term *= (z * z) / (2 * k + 1);
    sum += term;
  }
  return 0.5 - (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Returns the probabilities of a Gaussian step on the grid: an entry for each whole number of grid widths. */
function kernelOf(): Float64Array {
  const half = Math.round(reach / grid);
  return Float64Array.from(
    { length: 2 * half + 1 },
    (_, k) => normalTail((k - half - 0.5) * grid) - normalTail((k - half + 0.5) * grid),
  );
}

/**
 * Returns the levels of checks 1, 2, ... `looks`. The levels of checks before `first` are 0. The last check spends the
 * rest of alpha.
 */
export function sequentialLevels(alpha: number, looks: number, first: number): number[] {
  const kernel = kernelOf();
  const half = (kernel.length - 1) / 2;
  const span = Math.ceil(((reach + 1) * Math.sqrt(looks)) / grid);
  let walk = new Float64Array(2 * span + 1);
  walk[span] = 1;
  const levels: number[] = [];
  let spent = 0;
  for (let look = 1; look <= looks; look++) {
    const next = new Float64Array(walk.length);
    for (let k = 0; k < walk.length; k++) {
      const mass = walk[k]!;
      if (mass < 1e-14) continue;
      const from = Math.max(0, k - half);
      const to = Math.min(next.length - 1, k + half);
      for (let at = from, j = from - k + half; at <= to; at++, j++) next[at]! += mass * kernel[j]!;
    }
    walk = next;
    if (look < first) {
      levels.push(0);
      continue;
    }
    const due = (alpha * look) / looks - spent;
    let taken = 0;
    let edge = walk.length - 1;
    while (edge > 0 && taken + walk[edge]! <= due) {
      taken += walk[edge]!;
      walk[edge--] = 0;
    }
    // part of the grid cell that contains the bound
    const part = walk[edge]! > 0 ? (due - taken) / walk[edge]! : 0;
    walk[edge]! *= 1 - part;
    spent = (alpha * look) / looks;
    levels.push(normalTail(((edge - span + 0.5 - part) * grid) / Math.sqrt(look)));
  }
  return levels;
}
