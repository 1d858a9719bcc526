"""Agreement of repeated judgements: how much of a judged score is the judge."""

import numpy as np

from analysis.statistics.arrays import Floats


def krippendorff_alpha(labels: Floats) -> float | None:
    """Krippendorff's alpha for nominal labels (units x judgements, NaN where there is none).

    None without a unit that has two labels, or when only one label ever occurs.
    """
    values = np.unique(labels[~np.isnan(labels)])
    counts = (labels[:, :, None] == values).sum(axis=1).astype(np.float64)
    return alpha_of_counts(counts, np.ones(len(counts)))


def alpha_of_counts(counts: Floats, units: Floats) -> float | None:
    """Krippendorff's alpha from how often each label was given (patterns x labels).

    1 - observed disagreement / expected disagreement, over units with two or more labels (Krippendorff
    2011). None without such units, or when only one label ever occurs: agreement beyond chance is then
    undefined.

    Args:
        counts: labels that one unit of each pattern received.
        units: how many units show each pattern (patterns).
    """
    paired = (counts.sum(axis=1) > 1) & (units > 0)
    counts, units = counts[paired], units[paired]
    totals = units @ counts
    if np.count_nonzero(totals) < 2:
        return None
    sizes = counts.sum(axis=1)
    observed = np.sum(units * (sizes**2 - np.sum(counts**2, axis=1)) / (sizes - 1))
    everything = totals.sum()
    expected = (everything**2 - np.sum(totals**2)) / (everything - 1)
    return float(1 - observed / expected)
