"""What stands below the pairs of the Leaderboard: each section where the data have what it needs."""

from answers.base import Answer
from answers.loaded import Benchmark
from data.store import Store
from ui import components, contamination, mix, noise, planner, published, show, votes


def below_pairs(store: Store, board: Answer, benchmark: Benchmark, benchmarks: tuple[Benchmark, ...]) -> None:
    """Planner, run noise, own mix, public and private tasks, votes, published scores."""
    planner.planner(store, board)
    noise.run_noise(store, board)
    mix.own_mix(store, board, benchmark.contenders)
    contamination.public_private(store, board, benchmark)
    votes.votes(store, benchmark.name, benchmarks)
    published.published(store, benchmark.name, board.parameters.margin, board.parameters.confidence)


def without_results(store: Store) -> bool:
    """Votes and published scores where no results by task are loaded; False where there are neither."""
    drawn = [votes.votes(store, None, ()), published.published(store, None)]
    if any(drawn):
        show.html(
            components.note("No results by task are loaded; with them, models are compared task by task.")
        )
    return any(drawn)
