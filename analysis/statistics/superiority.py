"""Probability that one contender's true share is higher, under uniform priors; one binary run a task."""

import numpy as np
from scipy import stats


def independent_superiority(passed_a: int, tasks_a: int, passed_b: int, tasks_b: int) -> float:
    """P(A > B) with independent Beta(1 + passed, 1 + failed) posteriors (Bowyer 2025, arXiv 2503.01747).

    The integral of B's distribution function over A's density, by Gauss-Legendre.
    """
    node, weight = np.polynomial.legendre.leggauss(400)
    share, weight = (node + 1) / 2, weight / 2
    density = stats.beta.pdf(share, 1 + passed_a, 1 + tasks_a - passed_a)
    below = stats.beta.cdf(share, 1 + passed_b, 1 + tasks_b - passed_b)
    return float(np.sum(weight * density * below))
