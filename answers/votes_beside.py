"""Ranks by votes beside ranks on tasks: whether people prefer the models that solve more."""

from dataclasses import dataclass

from analysis import wording
from analysis.leaderboard import leaderboard
from analysis.results import Finding
from analysis.votes.board import VoteBoard
from analysis.votes.sensitivity import RankRange, ranks_within
from answers.base import Column, Table
from answers.evals import Evals, read_evals
from data.store import Store

_COLUMNS = (
    Column("model", "Model"),
    Column("votes_rank", "Rank by votes", "count", "among the models that have both"),
    Column("votes_low", "From", "count"),
    Column("votes_high", "To", "count"),
    Column("tasks_rank", "Rank on tasks", "count", "among the models that have both"),
    Column("tasks_low", "Tasks from", "count"),
    Column("tasks_high", "Tasks to", "count"),
    Column("agreement", "Agreement"),
)


@dataclass(frozen=True)
class BothRanks:
    """One model that has votes and results; ``contender`` is its name among the results."""

    model: str
    contender: str
    votes: RankRange
    tasks: RankRange

    @property
    def agreement(self) -> str:
        """Whether both ranges can be true of one order."""
        if self.votes.high < self.tasks.low:
            return "votes prefer it more"
        return "tasks favour it more" if self.tasks.high < self.votes.low else "ranges overlap"


def both_ranks(store: Store, board: VoteBoard, benchmark: str) -> tuple[BothRanks, ...]:
    """The models with ratings and with results on ``benchmark``, ranked among themselves.

    Raises:
        InputError: no results are loaded under that benchmark.
    """
    evals = read_evals(store, benchmark)
    named = {rating.model: found for rating in board.ratings if (found := _contender(evals, rating.model))}
    if len(named) < 2:
        return ()
    rated = {r.model: RankRange(r.rank, r.rank_low, r.rank_high) for r in board.ratings if r.model in named}
    scored = {
        score.model: RankRange(score.rank, score.rank_low, score.rank_high)
        for score in leaderboard(evals.cells, confidence=board.confidence).models
        if score.rank is not None and score.rank_low is not None and score.rank_high is not None
    }
    shared = {model: name for model, name in named.items() if name in scored}
    votes = ranks_within({model: rated[model] for model in shared})
    tasks = ranks_within({model: scored[name] for model, name in shared.items()})
    rows = [BothRanks(model, name, votes[model], tasks[model]) for model, name in shared.items()]
    return tuple(sorted(rows, key=lambda row: (row.votes.rank, row.model))) if len(rows) > 1 else ()


def _contender(evals: Evals, model: str) -> str | None:
    """The contender of that name, else the only one of a model of that name."""
    if model in evals.contenders:
        return model
    of = [name for name, owner in zip(evals.contenders, evals.models, strict=True) if owner == model]
    return of[0] if len(of) == 1 else None


def table(rows: tuple[BothRanks, ...], benchmark: str) -> Table:
    """Both ranks of each model with their ranges."""
    cells = tuple(
        (
            row.model,
            row.votes.rank,
            row.votes.low,
            row.votes.high,
            row.tasks.rank,
            row.tasks.low,
            row.tasks.high,
            row.agreement,
        )
        for row in rows
    )
    return Table("both_ranks", f"Rank by votes beside rank on {benchmark}", _COLUMNS, cells)


def finding(rows: tuple[BothRanks, ...], benchmark: str) -> Finding:
    """Whether the two orders contradict each other, in one sentence."""
    apart = [row for row in rows if row.agreement != "ranges overlap"]
    if not rows:
        return Finding(
            "unknown",
            f"Fewer than two models have both votes and results on {benchmark}.",
            "Models are matched by their names in the files.",
        )
    if not apart:
        return Finding(
            "good",
            f"Votes and {benchmark} do not contradict each other on {wording.plural(len(rows), 'model')}.",
            "The range of ranks by votes and on tasks overlap for each.",
        )
    names = wording.sentence_list([row.model for row in apart], most=4)
    verb = "stands" if len(apart) == 1 else "stand"
    return Finding(
        "caution",
        f"{names} {verb} elsewhere by votes than on {benchmark}, beyond what chance explains.",
        "Votes also reward style and length; tasks reward what they check.",
    )
