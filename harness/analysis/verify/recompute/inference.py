"""
Medians, comparisons of pairs, and tests of what can be chance, with scipy's distributions. Of few pairs every
assignment of signs is counted.
"""

from functools import lru_cache

import numpy as np
from scipy import stats

CONFIDENCE = 0.95
# Up to so many pairs all 2^n assignments of signs are counted.
COUNTED = 16
# A p below this is significant, by convention.
SIGNIFICANCE = 0.05


def median_interval(values):
    """
    (low, high, coverage): from the r-th smallest to the r-th largest value, r the largest with P(Binomial(n,
    1/2) < r) <= 2.5 %; the whole range where there is no such r (Conover, section 3.2). None below two
    values.
    """
    n = len(values)
    if n < 2:
        return None
    rank, coverage = _median_rank(n)
    ordered = np.sort(values)
    return ordered[rank - 1], ordered[-rank], coverage


@lru_cache
def _median_rank(n):
    """(r, coverage) of that interval of n values."""
    coverages = [1 - 2 * stats.binom.cdf(r - 1, n, 0.5) for r in range(1, n // 2 + 1)]
    rank = max((r for r, coverage in enumerate(coverages, 1) if coverage >= CONFIDENCE), default=1)
    return rank, coverages[rank - 1]


def _sign_sums(ranks):
    """
    (sums, chances) of the ranks with a plus: of every assignment of signs, or, where there are too many, by
    the generating polynomial of the sums.
    """
    n = len(ranks)
    if n <= COUNTED:
        signs = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
        sums, counts = np.unique(signs @ ranks, return_counts=True)
        return sums, counts / 2**n
    ways = np.poly1d([1.0])
    for rank in ranks:
        factor = np.zeros(int(2 * rank) + 1)
        factor[0] = factor[-1] = 0.5
        ways = np.poly1d(np.convolve(ways.coeffs, factor))
    chances = ways.coeffs
    return np.arange(len(chances)) / 2, chances


def signed_rank_p(differences):
    """
    p of the signed-rank test (Wilcoxon, 1945): two-sided, exact, without zeros, equal sizes with their mean
    rank. 1 where no pair differs.
    """
    some = np.array([d for d in differences if d != 0])
    if len(some) == 0:
        return 1.0
    if len(some) <= 50 and len(np.unique(np.abs(some))) == len(some):
        return float(stats.wilcoxon(some, method='exact').pvalue)
    ranks = stats.rankdata(np.abs(some))
    least = min(ranks[some > 0].sum(), ranks[some < 0].sum())
    sums, chances = _sign_sums(ranks)
    return float(min(1.0, 2 * chances[sums <= least + 1e-9].sum()))


def rank_biserial(differences):
    """(pluses - minuses) / all, of the ranks (Kerby, 2014)."""
    some = np.array([d for d in differences if d != 0])
    if len(some) == 0:
        return 0.0
    ranks = stats.rankdata(np.abs(some))
    return float((ranks * np.sign(some)).sum() / ranks.sum())


@lru_cache
def _walsh_rank(n, confidence=CONFIDENCE):
    """
    (k, coverage): the interval of the shift goes from the k-th smallest Walsh average of n differences to the
    k-th largest.
    """
    sums, chances = _sign_sums(np.arange(1, n + 1))

    def below(k):
        """P(rank sum < k)"""
        return float(chances[sums <= k - 1 + 1e-9].sum())

    rank = 1
    while rank < n * (n + 1) // 4 and 1 - 2 * below(rank + 1) >= confidence:
        rank += 1
    return rank, 1 - 2 * below(rank)


def hodges_lehmann(differences, confidence=CONFIDENCE):
    """
    (estimate, low, high, coverage): the median of all Walsh averages, and its interval by inverting the
    signed-rank test (Hollander and Wolfe, section 3.2 and 3.3).
    """
    d = np.array(differences, dtype=float)
    n = len(d)
    first, second = np.triu_indices(n)
    averages = np.sort((d[first] + d[second]) / 2)
    if n == 1:
        return averages[0], None, None, None
    rank, coverage = _walsh_rank(n, confidence)
    return float(np.median(averages)), averages[rank - 1], averages[-rank], coverage


def smallest_shown(differences, level):
    """
    The true shift that 95 of 100 such studies show: how far the interval at `level` reaches from the
    estimate, and by how much an estimate falls short of the truth in one of 20. None where no pair differs,
    or where so few pairs cannot show a shift, however large it is.
    """
    has_change = any(difference != 0 for difference in differences)
    if not has_change or 2 * 0.5 ** len(differences) >= level:
        return None
    intervals = [hodges_lehmann(differences, confidence) for confidence in (1 - level, 0.9)]
    return sum(max(estimate - low, high - estimate) for estimate, low, high, _ in intervals)


def harm(alone, beside, better):
    """
    The lost part of the performance that the application has alone (Ware et al., HotNets 2019); None where
    that would divide by 0.
    """
    if alone == beside:
        return 0.0
    lost, of = (alone - beside, alone) if better == 'higher' else (beside - alone, beside)
    return None if of == 0 else lost / of


def corrected(ps):
    """Benjamini and Hochberg, 1995."""
    return stats.false_discovery_control(ps, method='bh') if len(ps) > 0 else []


def variance_components(groups):
    """
    (within, between): variances of a one-way random model by Henderson's method of moments, with the sums of
    squares by least squares. Both are None where no group has two values, the second also where there is one
    group.
    """
    y = np.concatenate([np.asarray(group, float) for group in groups]) if groups else np.empty(0)
    n, k = len(y), len(groups)
    if n <= k:
        return None, None
    z = np.zeros((n, k))
    z[np.arange(n), np.repeat(np.arange(k), [len(group) for group in groups])] = 1
    fitted = z @ np.linalg.lstsq(z, y, rcond=None)[0]
    left = y - fitted
    within = float(left @ left) / (n - k)
    if k < 2:
        return within, None
    explained = fitted - y.mean()
    # the factor of the variance between groups in the expected sum of squares that the groups explain
    size = float(np.trace(z.T @ z) - np.trace(z.T @ np.full((n, n), 1 / n) @ z))
    return within, max(0.0, (float(explained @ explained) - (k - 1) * within) / size)
