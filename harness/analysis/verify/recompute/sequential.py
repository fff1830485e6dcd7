"""
The interval of a pairwise study's median. Under the rule "sequential" it may be computed after every trial:
its ranks keep the chance to miss the median at any time up to the last trial below 5 % (error spending: Lan
and DeMets, Biometrika 1983, with Pocock's function).
"""

from fractions import Fraction
from functools import lru_cache
from math import e, log

import numpy as np
from scipy import stats

ALPHA = 0.05
# Below so many trials no interval of 95 % exists, even where it is computed only once.
FEWEST = 6
# More than a study may have for each cell (harness/studies/pairs/define.ts): more would take too long to compute.
MOST = 1000


@lru_cache
def ranks(most):
    """
    Rank for n = 1 .. most, 0 where there is no interval yet. The chances are counted in whole numbers: of the
    2^n equally likely orders of values below and above the median, `paths` has those in which no interval has
    missed so far, by the number of values below.
    """
    found, paths, spent = [], {0: 1}, Fraction(0)
    for n in range(1, most + 1):
        longer = {}
        for below, ways in paths.items():
            for step in (below, below + 1):
                longer[step] = longer.get(step, 0) + ways

        def missing(rank):
            missed = sum(ways for below, ways in longer.items() if min(below, n - below) < rank)
            return Fraction(missed, 2**n)

        # 1e-12 allows for the rounding of doubles: a rank that costs exactly what is left is still allowed
        left = ALPHA * log(1 + (e - 1) * n / most) - float(spent) + 1e-12
        rank = max((r for r in range(1, n // 2 + 1) if float(missing(r)) <= left), default=0)
        spent += missing(rank)
        paths = {below: ways for below, ways in longer.items() if min(below, n - below) >= rank}
        found.append(rank)
    return found


@lru_cache
def _looked_at_once(n):
    if n < FEWEST:
        return 0
    return max(r for r in range(1, n // 2 + 1) if 1 - 2 * stats.binom.cdf(r - 1, n, 0.5) >= 1 - ALPHA)


def interval(values, rule, most):
    """(low, high) of the median under a stopping rule with at most `most` trials; None for too few values."""
    if not isinstance(most, int) or most > MOST:
        raise ValueError('plan.json has no number of trials for each cell')
    n = len(values)
    rank = ranks(most)[n - 1] if rule == 'sequential' and 0 < n <= most else _looked_at_once(n)
    ordered = np.sort(values)
    return None if rank == 0 else (ordered[rank - 1], ordered[n - rank])
