"""What the findings of a leaderboard are read from."""

from dataclasses import dataclass

from analysis.leaderboard.ranking import Ranking
from analysis.leaderboard.result import AlsoBy, Correction, Missing, PairDifference
from analysis.leaderboard.scores import Score
from analysis.statistics.cells import Cells


@dataclass(frozen=True)
class Picture:
    """A computed leaderboard before its findings.

    ``stored`` holds the cells as stored, ``cells`` as they count; ``other_pairs`` the pairs under the other
    rule for missing cells, None when nothing is missing. ``exceeded``: too many pairs for joint draws.
    ``clipped``: some errors over two groupings of tasks did not fit together.
    """

    stored: Cells
    cells: Cells
    scores: tuple[Score, ...]
    pairs: tuple[PairDifference, ...]
    ranking: Ranking
    missing: Missing
    other_pairs: tuple[PairDifference, ...] | None
    exceeded: bool
    margin: float
    confidence: float
    correction: Correction
    also_by: AlsoBy
    clipped: bool

    @property
    def scored(self) -> tuple[Score, ...]:
        """Contenders with a score, best first."""
        ranked = (self.scores[int(row)] for row in self.ranking.order)
        return tuple(score for score in ranked if score.mean is not None)

    @property
    def leaders(self) -> tuple[int, ...]:
        """Rows of the contenders of rank 1."""
        return tuple(row for row, rank in enumerate(self.ranking.rank) if rank == 1)
