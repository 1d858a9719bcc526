"""The leaderboard's figures and their table twins."""

from analysis import wording
from analysis.figures import Forest, ForestRow, PairMatrix, PairTile
from analysis.leaderboard.result import Leaderboard, ModelScore
from answers.base import Column, Figure, Table
from answers.leaderboard_words import forest_title, matrix_title, turned

_MODEL_COLUMNS = (
    Column("model", "Model"),
    Column("mean", "Solved", "share", "mean over tasks of the mean over runs"),
    Column("low", "Interval from", "share"),
    Column("high", "Interval to", "share"),
    Column("se", "Standard error", "spread", "for new tasks like these"),
    Column("se_rerun", "Standard error, tasks rerun", "spread", "for these exact tasks, run again"),
    Column("rank", "Rank", "count"),
    Column("rank_low", "Rank from", "count", "ranks that hold for all models at once"),
    Column("rank_high", "Rank to", "count"),
    Column("tier", "Tier"),
    Column("shrunk", "Expected on new tasks", "share", "the score pulled towards the mean of all models"),
    Column("tasks", "Tasks", "count"),
    Column("clusters", "Clusters", "count", "groups of tasks that rise and fall together"),
    Column("rows", "Results", "count"),
    Column("runs_per_task", "Runs a task", "number"),
    Column("mean_rows", "Mean over results", "share", "every run counts once, whatever its task"),
    Column("within", "Variance within tasks", "number", "between runs of one task"),
    Column("between", "Variance between tasks", "number"),
    Column("flip_share", "Tasks that flip", "share", "tasks both solved and failed over their runs"),
    Column("design_effect", "Design effect", "number", "how much clustering widens the variance"),
    Column("cost_per_task", "Cost per task", "money"),
    Column("currency", "Currency"),
    Column("output_tokens_per_success", "Output tokens per solved task", "count"),
)
_PAIR_COLUMNS = (
    Column("a", "Model"),
    Column("b", "Against"),
    Column("difference", "Difference", "points", "first minus second, on the tasks both ran"),
    Column("low", "Interval from", "points"),
    Column("high", "Interval to", "points"),
    Column("se", "Standard error", "spread"),
    Column("p", "p", "p"),
    Column("p_adjusted", "Adjusted p", "p", "corrected for the number of pairs"),
    Column("verdict", "Verdict"),
    Column("tasks", "Paired tasks", "count"),
    Column("clusters", "Clusters", "count"),
    Column("both", "Both solved", "count"),
    Column("only_a", "Only first", "count"),
    Column("only_b", "Only second", "count"),
    Column("neither", "Neither", "count"),
    Column("detectable", "Could have seen", "spread", "the gap found in 8 of 10 such files"),
    Column("tasks_to_settle", "Tasks to settle it", "count"),
    Column("method", "Method"),
)


def tables(result: Leaderboard) -> tuple[Table, ...]:
    """Scores and pairs, raw values, every column of the figures and more."""
    return (
        _table("models", "Scores", _MODEL_COLUMNS, result.models),
        _table("pairs", "Pairs", _PAIR_COLUMNS, result.pairs),
    )


def _table(name: str, title: str, columns: tuple[Column, ...], items: tuple[object, ...]) -> Table:
    rows = tuple(tuple(getattr(item, column.name) for column in columns) for item in items)
    return Table(name, title, columns, rows)


def figures(result: Leaderboard) -> tuple[Figure, ...]:
    """The forest plot and, with at least one pair, the pairwise matrix."""
    if not result.models:
        return ()
    return (_forest(result), _matrix(result)) if result.pairs else (_forest(result),)


def _forest(result: Leaderboard) -> Forest:
    baseline = next((score for score in result.models if score.model == result.baseline), None)
    unit = "task clusters" if result.by == "cluster" and result.clusters < result.tasks else "tasks"
    confidence = wording.level(result.confidence)
    best = result.models[0]
    return Forest(
        name="scores",
        title=forest_title(result),
        subtitle=(
            f"Dot: share of tasks solved. Line: {confidence} interval over {unit}. "
            "Rank: range that holds for all models at once."
        ),
        rows=tuple(_row(score) for score in result.models),
        headers=("Solved", f"{confidence} interval", "Rank", "Tier"),
        unit="share",
        axis_title="Tasks solved"
        if result.runs <= 1
        else f"Tasks solved, mean over up to {result.runs} runs",
        reference=None if baseline is None else baseline.mean,
        reference_label="" if baseline is None else f"baseline {baseline.model}",
        highlight=_highlight(result),
        takeaway=f"{forest_title(result)}. {best.model} solves {_solved(best)}, interval {_interval(best)}.",
    )


def _highlight(result: Leaderboard) -> str:
    others = [score.model for score in result.models if score.model != result.baseline]
    return others[0] if others else result.models[0].model


def _row(score: ModelScore) -> ForestRow:
    rank = wording.rank_range(score.rank_low, score.rank_high)
    ran = f"{wording.plural(score.tasks, 'task')}, {wording.plural(score.rows, 'result')}"
    return ForestRow(
        label=score.model,
        value=score.mean,
        low=score.low,
        high=score.high,
        columns=(_solved(score), _interval(score), rank, score.tier or ""),
        band=score.tier or "",
        model=score.model,
        hover=f"{_solved(score)}, interval {_interval(score)}, rank {rank}, {ran}",
    )


def _half(score: ModelScore) -> float | None:
    return None if score.low is None or score.high is None else (score.high - score.low) / 2


def _solved(score: ModelScore) -> str:
    return wording.share(score.mean, _half(score))


def _interval(score: ModelScore) -> str:
    if score.low is None or score.high is None:
        return "no interval"
    return wording.interval(score.low, score.high, "share", half_width=_half(score))


def _matrix(result: Leaderboard) -> PairMatrix:
    both_ways = [side for pair in result.pairs for side in (pair, turned(pair))]
    correction = {
        "max-t": "corrected for all pairs at once",
        "holm": "corrected (Holm)",
        "none": "not corrected",
    }
    named = {pair.a for pair in result.pairs} | {pair.b for pair in result.pairs}
    return PairMatrix(
        name="pairs",
        title=matrix_title(result),
        subtitle=(
            f"Row minus column in points, with the {wording.level(result.confidence)} interval, on the tasks "
            f"both models ran; {correction[result.correction]}, {wording.plural(result.family_size, 'pair')}."
        ),
        labels=tuple(score.model for score in result.models if score.model in named),
        tiles=tuple(
            PairTile(side.a, side.b, side.difference, side.low, side.high, side.verdict) for side in both_ways
        ),
    )
