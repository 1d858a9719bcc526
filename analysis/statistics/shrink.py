"""The winner's curse: the best observed score is too high; empirical Bayes says by how much."""

import numpy as np

from analysis.statistics.arrays import Floats


def shrink(scores: Floats, covariance: Floats) -> Floats | None:
    """Scores pulled towards their mean by the share of their spread that is noise; None for fewer than three.

    tau^2 = max(0, var(x) - mean SE^2); x* = mean + tau^2 / (tau^2 + SE^2) (x - mean) (Efron and Morris 1975).
    The errors are those of the scores around their common mean, which the shared tasks make smaller than the
    errors of the scores: diag(C V C) M / (M - 1), C = I - 1/M.

    Args:
        scores: (contenders).
        covariance: of the scores (contenders x contenders).
    """
    count = len(scores)
    if count < 3:
        return None
    centre = np.eye(count) - 1 / count
    noise = np.diag(centre @ covariance @ centre) * count / (count - 1)
    mean = scores.mean()
    spread = max(0.0, float(np.var(scores, ddof=1) - noise.mean()))
    below = spread + noise
    factor = np.divide(spread, below, out=np.ones(count), where=below > 0)
    shrunk: Floats = mean + factor * (scores - mean)
    return shrunk
