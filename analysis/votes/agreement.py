"""How far judges agree with themselves and each other, and what their noise adds to a vote (T16)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis import wording
from analysis.results import Finding
from analysis.statistics.agreement import alpha_of_counts
from analysis.statistics.arrays import Floats
from analysis.statistics.intervals import mean_interval

#: What a judgement is worth to the first answer: won, lost, tie.
WORTH = np.array([1.0, 0.0, 0.5])
REQUIRED = ("a_wins", "b_wins", "ties", "units")
#: Krippendorff (2004): reliable from 0.8, and below 0.667 not even for tentative conclusions.
RELIABLE, TENTATIVE = 0.8, 0.667
#: Share of judge noise from which more judgements are worth a word of caution.
NOISY = 0.2


@dataclass(frozen=True)
class JudgeAgreement:
    """Agreement of judgements of one pair of answers to one prompt, where there are two or more.

    ``units`` counts prompts with a pair judged so and ``judgements`` all their judgements, whether one judge
    decided twice or several did once. ``agreement`` is the chance that two judgements of a unit agree, with
    its interval over units; ``reversal`` that they name opposite answers; ``unanimous`` the share of units
    whose judgements all agree. ``alpha`` is Krippendorff's, for the labels won, lost and tie.

    ``noise_share`` is the part of a single judgement's spread around an even vote that a repetition does not
    repeat; ``error_factor`` how many times the error of a win rate near one half exceeds that of judges who
    never waver. Shares are 0..1; None where nothing was judged twice or nothing varies.
    """

    units: int
    judgements: int
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    reversal: float | None
    unanimous: float | None
    alpha: float | None
    noise_share: float | None
    error_factor: float | None
    confidence: float
    findings: tuple[Finding, ...]

    def variance_left(self, judgements: int) -> float | None:
        """Variance of a vote that is the mean of ``judgements``, as a share of that of a single judgement."""
        return None if self.noise_share is None else 1 - self.noise_share * (1 - 1 / judgements)


def judge_agreement(patterns: pd.DataFrame, *, confidence: float = 0.95) -> JudgeAgreement:
    """Measure the agreement of repeated judgements.

    With s^2 a unit's sample variance over its k judgements (worth 1, 1/2 and 0) and x its mean, the noise is
    the mean of s^2 and what repeats the mean of (x - 1/2)^2 - s^2 / k, floored at 0: one-way components of
    variance (significance.md T5) around an even vote, so that it does not matter which answer is called
    first.

    Args:
        patterns: columns a_wins, b_wins, ties (judgements of a unit) and units (how many show this pattern).
        confidence: of the interval.

    Raises:
        ValueError: a column is absent.
    """
    absent = [name for name in REQUIRED if name not in patterns.columns]
    if absent:
        raise ValueError(f"patterns need the columns {', '.join(absent)}")
    table = patterns.loc[:, list(REQUIRED)].to_numpy(dtype=np.float64).reshape(-1, 4)
    table = table[(table[:, :3].sum(axis=1) > 1) & (table[:, 3] > 0)]
    if not len(table):
        return _unknown(confidence)
    counts, units = table[:, :3], table[:, 3]
    sizes = counts.sum(axis=1)
    pairs = sizes * (sizes - 1)
    agreeing = (counts * (counts - 1)).sum(axis=1) / pairs
    total, judged = round(float(units.sum())), round(float(units @ sizes))
    agreement = _mean(agreeing, units)
    interval = mean_interval(
        agreement,
        _error(agreeing, units),
        tasks=total,
        clusters=total,
        rows=judged,
        single_binary=False,
        confidence=confidence,
    )
    noise, signal = _components(counts, sizes, units)
    share = noise / (noise + signal) if noise + signal > 0 else None
    alpha = alpha_of_counts(counts, units)
    factor = None if share is None or signal == 0 else float(np.sqrt(1 / (1 - share)))
    result = JudgeAgreement(
        units=total,
        judgements=judged,
        agreement=agreement,
        agreement_low=interval.low,
        agreement_high=interval.high,
        reversal=_mean(2 * counts[:, 0] * counts[:, 1] / pairs, units),
        unanimous=_mean((counts.max(axis=1) == sizes).astype(np.float64), units),
        alpha=alpha,
        noise_share=share,
        error_factor=factor,
        confidence=confidence,
        findings=(),
    )
    return JudgeAgreement(**{**vars(result), "findings": _findings(result)})


def _mean(values: Floats, units: Floats) -> float:
    return float(values @ units / units.sum())


def _error(values: Floats, units: Floats) -> float | None:
    """Standard error of the mean over units; None with one unit."""
    total = float(units.sum())
    if total < 2:
        return None
    squares = float(((values - _mean(values, units)) ** 2) @ units)
    return float(np.sqrt(squares / (total - 1) / total))


def _components(counts: Floats, sizes: Floats, units: Floats) -> tuple[float, float]:
    """Noise and what repeats, both as variances of a single judgement around an even vote."""
    mean = counts @ WORTH / sizes
    within = np.maximum(counts @ WORTH**2 - sizes * mean**2, 0) / (sizes - 1)
    return _mean(within, units), max(0.0, _mean((mean - 0.5) ** 2 - within / sizes, units))


def _unknown(confidence: float) -> JudgeAgreement:
    nothing = Finding(
        "unknown",
        "No pair of answers was judged more than once, so the noise of the judges is unknown.",
        "Have a sample of prompts judged again, answers in the other order.",
    )
    return JudgeAgreement(
        0, 0, None, None, None, None, None, None, None, None, confidence, findings=(nothing,)
    )


def _findings(result: JudgeAgreement) -> tuple[Finding, ...]:
    found = [_agreement_finding(result)]
    if result.noise_share is not None and result.noise_share > 0:
        factor = "all of it, as if by lot"
        if result.error_factor is not None:
            times = wording.number(result.error_factor, 0.02)
            factor = f"errors are {times} times those of judges who never waver"
        left = wording.share(result.variance_left(3))
        found.append(
            Finding(
                "caution" if result.noise_share >= NOISY else "good",
                f"Noise of the judges makes up {wording.share(result.noise_share)} of the spread of a vote; "
                f"{factor}.",
                f"Three judgements a prompt would leave {left} of the variance; errors over prompts hold "
                "the noise already.",
            )
        )
    return tuple(found)


def _agreement_finding(result: JudgeAgreement) -> Finding:
    low, high, alpha = result.agreement_low, result.agreement_high, result.alpha
    half = None if low is None or high is None else (high - low) / 2
    within = "" if half is None else f" ({wording.interval(low, high, 'share', half_width=half)})"
    chance = "" if alpha is None else f"; Krippendorff's alpha is {wording.number(alpha, 0.02)}"
    reliable = alpha is None or alpha >= RELIABLE
    warning = f"Below {RELIABLE:g} judges are not reliable, below {TENTATIVE:g} not even tentatively."
    return Finding(
        "good" if reliable else "caution",
        f"Two judgements of one pair of answers agree in {wording.share(result.agreement, half)}{within} of "
        f"{wording.plural(result.units, 'case')} judged more than once{chance}.",
        "" if reliable else warning,
    )
