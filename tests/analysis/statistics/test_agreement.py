"""Agreement of judges against Krippendorff's published example."""

import numpy as np
import pytest

from analysis.statistics.agreement import krippendorff_alpha

#: Four judges, twelve units (one with a single label); a dot is no label.
JUDGES = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def units(judges):
    return np.array([[np.nan if c == "." else float(c) for c in judge] for judge in judges]).T


def test_published_alpha():
    assert krippendorff_alpha(units(JUDGES)) == pytest.approx(0.7434210526315788, abs=1e-15)


def test_perfect_and_worse_than_chance():
    assert krippendorff_alpha(units(("1212", "1212"))) == 1
    assert krippendorff_alpha(units(("12", "21"))) < 0


def test_undefined_agreement_is_unknown():
    assert krippendorff_alpha(units(("11", "11"))) is None
    assert krippendorff_alpha(units(("1.", ".2"))) is None


def test_chance_is_near_zero():
    labels = np.random.default_rng(1).integers(0, 3, (4000, 3)).astype(float)
    assert krippendorff_alpha(labels) == pytest.approx(0, abs=0.03)
