"""Whether a contender does better on public tasks than its peers' gap to private tasks explains."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from analysis import wording
from analysis.results import Finding, ordered
from analysis.statistics.arrays import Booleans
from analysis.statistics.cells import Cells
from analysis.statistics.mixing import stratified_mean
from analysis.statistics.multiplicity import holm
from analysis.statistics.paired import detectable_gap
from analysis.statistics.threads import single_thread

#: Tasks needed in each part before a gap is judged.
LEAST_TASKS = 10


@dataclass(frozen=True)
class Excess:
    """One contender's gap between public and private tasks, and the part its references do not show.

    ``gap`` is public minus private; ``excess`` is the gap of (contender - mean of references) over tasks all
    of them have, ``p`` one-sided that it is above 0, ``p_adjusted`` by Holm over contenders. ``detectable``
    is the excess these tasks show with 80 % power.
    """

    model: str
    public: float | None
    private: float | None
    gap: float | None
    gap_se: float | None
    excess: float | None
    se: float | None
    low: float | None
    p: float | None
    p_adjusted: float | None
    detectable: float | None
    public_tasks: int
    private_tasks: int
    suspicious: bool


@dataclass(frozen=True)
class Contamination:
    """All contenders, largest excess first. ``references`` are named, or everyone else when empty."""

    models: tuple[Excess, ...]
    references: tuple[str, ...]
    public: str
    private: str
    confidence: float
    findings: tuple[Finding, ...]


def contamination(
    cells: Cells,
    *,
    public: str = "public",
    private: str = "private",
    references: Sequence[str] = (),
    confidence: float = 0.95,
) -> Contamination:
    """Compare public with private tasks against reference contenders (significance.md T11).

    A gap alone confounds difficulty: private tasks may be harder. References answer the same tasks, so their
    gap is the difficulty, and the excess over it is paired inside each part.

    Args:
        cells: of the benchmark; ``splits`` say which task is which. Release dates work too: name the splits.
        public: split seen by everyone.
        private: split held back.
        references: contenders taken to be clean; all others when empty.
        confidence: of the one-sided limit and of the joint test.

    Raises:
        KeyError: a reference is not among the cells.
        ValueError: public and private are one split.
    """
    if public == private:
        raise ValueError("public and private must be two splits")
    trusted = [cells.index(name) for name in references]
    split = np.array([{public: 0, private: 1}.get(name or "", -1) for name in cells.splits], dtype=np.int64)
    with single_thread():
        rows = [
            _excess(cells, row, [r for r in (trusted or range(len(cells.contenders))) if r != row], split)
            for row in range(len(cells.contenders))
        ]
    rows = _judge(rows, confidence)
    ranked = tuple(sorted(rows, key=lambda r: (-np.inf if r.excess is None else -r.excess, r.model)))
    ranked = (*(r for r in ranked if r.excess is not None), *(r for r in ranked if r.excess is None))
    return Contamination(
        models=ranked,
        references=tuple(references),
        public=public,
        private=private,
        confidence=confidence,
        findings=ordered(tuple(_findings(ranked, split, public, private))),
    )


def _excess(cells: Cells, row: int, references: list[int], split: np.typing.NDArray[np.int64]) -> Excess:
    scored = (cells.scored[row] > 0) & (split >= 0)
    counts = np.bincount(split[scored], minlength=2)
    blank = Excess(
        model=cells.contenders[row],
        public=None,
        private=None,
        gap=None,
        gap_se=None,
        excess=None,
        se=None,
        low=None,
        p=None,
        p_adjusted=None,
        detectable=None,
        public_tasks=int(counts[0]),
        private_tasks=int(counts[1]),
        suspicious=False,
    )
    values = cells.cell_means[row]
    if np.min(counts) == 0:
        return blank
    gap, gap_se, _ = _contrast(cells, values, scored, split)
    means = [float(values[scored & (split == part)].mean()) for part in (0, 1)]
    found = replace(blank, public=means[0], private=means[1], gap=gap, gap_se=gap_se)
    if not references:
        return found
    shared = scored & (cells.scored[references] > 0).all(axis=0)
    if np.min(np.bincount(split[shared], minlength=2)) < LEAST_TASKS:
        return found
    paired = values - cells.cell_means[references].mean(axis=0)
    excess, se, freedom = _contrast(cells, paired, shared, split)
    if not se or not freedom:
        return replace(found, excess=excess)
    return replace(found, excess=excess, se=se, p=float(stats.t.sf(excess / se, freedom)))


def _contrast(
    cells: Cells, values: np.typing.NDArray[np.float64], used: Booleans, split: np.typing.NDArray[np.int64]
) -> tuple[float, float | None, float | None]:
    """Mean over public minus mean over private tasks, its clustered error and degrees of freedom."""
    result = stratified_mean(values[used], split[used], cells.cluster[used], np.array([1.0, -1.0]))
    return result.mean, result.se, result.freedom


def _judge(rows: list[Excess], confidence: float) -> list[Excess]:
    tested = [row for row in rows if row.p is not None and row.se is not None and row.excess is not None]
    adjusted = holm(np.array([row.p for row in tested], dtype=np.float64))
    critical = float(stats.norm.isf(1 - confidence))
    judged = {
        row.model: replace(
            row,
            p_adjusted=float(p),
            low=None if row.excess is None or row.se is None else row.excess - critical * row.se,
            detectable=None if row.se is None else float(detectable_gap(row.se, critical)),
            suspicious=bool(p < 1 - confidence),
        )
        for row, p in zip(tested, adjusted, strict=True)
    }
    return [judged.get(row.model, row) for row in rows]


def _findings(
    rows: tuple[Excess, ...], split: np.typing.NDArray[np.int64], public: str, private: str
) -> list[Finding]:
    sizes = [int((split == part).sum()) for part in (0, 1)]
    if min(sizes) == 0:
        lacking = public if sizes[0] == 0 else private
        return [
            Finding(
                "unknown",
                f"No task is in the split {lacking}, so public and private cannot be compared.",
                "Map a split column, or name two splits that exist.",
            )
        ]
    found = [
        Finding(
            "caution",
            f"{row.model} gains {wording.points(row.excess)} more on {public} than on {private} tasks "
            "compared with the others: consistent with contamination or over-tuning.",
            "Other causes: another harness, a change of format, a private set of another kind.",
        )
        for row in rows
        if row.suspicious
    ]
    reach = [row.detectable for row in rows if row.detectable is not None]
    if not reach:
        return [
            Finding(
                "unknown",
                f"{wording.plural(sizes[0], 'public task')} and {wording.plural(sizes[1], 'private task')} "
                f"cannot be judged: each part needs {LEAST_TASKS} tasks shared with a reference contender.",
                "A gap alone cannot tell contamination from harder private tasks.",
            )
        ]
    if not found:
        found.append(
            Finding(
                "undecided",
                f"No contender shows an excess on {public} tasks; these tasks can only show one above "
                f"{wording.points(min(reach))}.",
                "Not seen is not ruled out.",
            )
        )
    return found
