"""Agreement of repeated judgements: how much of a judged score is the judge."""

import numpy as np

from analysis.statistics.arrays import Floats


def krippendorff_alpha(labels: Floats) -> float | None:
    """Krippendorff's alpha for nominal labels (units x judgements, NaN where there is none).

    1 - observed disagreement / expected disagreement, over units with two or more labels (Krippendorff
    2011). None without such units, or when only one label ever occurs: agreement beyond chance is then
    undefined.
    """
    known = ~np.isnan(labels)
    paired = known.sum(axis=1) > 1
    values = np.unique(labels[paired][known[paired]])
    if len(values) < 2:
        return None
    # Labels of each unit, counted by value.
    counts = (labels[paired][:, :, None] == values).sum(axis=1).astype(np.float64)
    sizes = counts.sum(axis=1)
    observed = np.sum((sizes**2 - np.sum(counts**2, axis=1)) / (sizes - 1))
    totals = counts.sum(axis=0)
    everything = totals.sum()
    expected = (everything**2 - np.sum(totals**2)) / (everything - 1)
    return float(1 - observed / expected)
