"""A million votes on 100 models: ``python -m benchmarks.votes [--beside PYTHON]``.

Times counting in the store, the ratings with their errors and ranks, and 1,000 bootstrap replicates; beside
them evalica, which fits votes one by one. Its replicates at a million votes are extrapolated from a few.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.statistics.arrays import Floats
from analysis.statistics.threads import single_thread
from analysis.votes import VoteCounts, votes
from analysis.votes.bootstrap import bootstrap
from analysis.votes.bradley_terry import fit
from benchmarks.measuring import machine, workplace
from benchmarks.timing import beside, header, interpreter_of, line, timed, versions
from data.importing import ImportOptions, import_files
from data.store import Store
from data.votes import vote_counts

MODELS, VOTES, REPLICATES = 100, 1_000_000, 1_000
SEED = 3


def ballots() -> pd.DataFrame:
    """One row a vote: random pairs of 100 models, a fifth of them ties."""
    generator = np.random.default_rng(SEED)
    truth = generator.normal(0, 0.8, MODELS)
    first = generator.integers(0, MODELS, VOTES)
    second = (first + generator.integers(1, MODELS, VOTES)) % MODELS
    ahead = generator.random(VOTES) < 1 / (1 + np.exp(truth[second] - truth[first]))
    tied = generator.random(VOTES) < 0.2
    names = np.array([f"model-{code:03}" for code in range(MODELS)], dtype=object)
    return pd.DataFrame(
        {
            "model_a": names[first],
            "model_b": names[second],
            "winner": np.where(tied, "tie", np.where(ahead, "model_a", "model_b")),
        }
    )


def counted(store: Store) -> VoteCounts:
    """The counts as the votes question takes them."""
    frame = vote_counts(store)
    return VoteCounts.from_frame(frame.rename(columns={"a_wins": "wins_a", "b_wins": "wins_b"}))


def fitted(counts: VoteCounts) -> Floats:
    """Log strengths, with one thread as the votes question takes them."""
    with single_thread():
        return fit(counts.wins(half_ties=True))


def replicated(counts: VoteCounts) -> None:
    """Fit, and refit every replicate."""
    strength = fitted(counts)
    bootstrap(counts, strength, half_ties=True, draws=REPLICATES, seed=1)


def counted_anew(path: Path) -> VoteCounts:
    """The counts from a store that this process has just opened."""
    with Store.open(path) as store:
        return counted(store)


def main(arguments: list[str]) -> None:
    """Make the votes, time each, print the ratios."""
    interpreter = interpreter_of(arguments)
    with workplace() as folder:
        csv, path = Path(folder) / "votes.csv", Path(folder) / "store.duckdb"
        ballots().to_csv(csv, index=False)
        with Store.open(path) as store:
            import_files(store, [csv], ImportOptions(kind="votes"))
        counting = timed(lambda: counted_anew(path))
        counts = counted_anew(path)
        everything = timed(lambda: replicated(counted_anew(path)))
        rating = timed(lambda: votes(counts))
        fitting = timed(lambda: fitted(counts))
        replicates = timed(lambda: replicated(counts))
        told = beside(interpreter, "evalica", csv)
    print(f"{machine()}; {versions('numpy', 'scipy')}")
    print(f"{VOTES:,} votes on {MODELS} models, a fifth ties; medians of 5, ratios to the replicates")
    print(header())
    for title, timing in (
        ("open the store and count a million votes by pair", counting),
        ("Bradley-Terry strengths from the counts", fitting),
        ("ratings, sandwich errors, rank sets, win rates, findings", rating),
        (f"strengths and {REPLICATES:,} bootstrap replicates from the counts", replicates),
        (f"open, count, strengths and {REPLICATES:,} replicates", everything),
    ):
        print(line(title, timing, replicates))
    if isinstance(told, str):
        print(told)
        return
    for title, timing in told.items():
        print(line(title, timing, replicates))


if __name__ == "__main__":
    main(sys.argv[1:])
