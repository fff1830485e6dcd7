/**
 * Student's t distribution for any positive number of degrees of freedom. The distribution function uses the
 * regularised incomplete beta function (continued fraction by Lentz's method; Press et al., Numerical Recipes, 3rd ed.,
 * section 6.4). The quantile is found by bisection.
 */

/**
 * Returns the natural logarithm of the gamma function for x > 0, by the Lanczos approximation (g = 7, nine terms). The
 * relative error is below 1e-13.
 */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  const sum = terms.reduce((total, term, k) => total + term / (x + k), 0.99999999999980993);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

function continuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const notZero = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 300; m++) {
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / notZero(1 + term * d);
      c = notZero(1 + term / c);
      fraction *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return fraction;
}

/** Returns the regularised incomplete beta function I_x(a, b) for x in [0, 1]. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b;
}

/** Returns P(T > t) for t >= 0, where T has `freedom` degrees of freedom. */
export function studentTail(t: number, freedom: number): number {
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

/** Returns the t that T exceeds with probability `tail`, which must be above 0 and at most one half. */
export function studentQuantile(tail: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (studentTail(high, freedom) > tail) high *= 2;
  for (let k = 0; k < 60 && high - low > 1e-10 * high; k++) {
    const middle = (low + high) / 2;
    if (studentTail(middle, freedom) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
