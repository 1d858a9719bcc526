"""One leaderboard of 20 models, 1,000 tasks, 5 runs: ``python -m benchmarks.leaderboard [--beside PYTHON]``.

Times everything the Leaderboard page asks for (answer with tables, figures, findings and sources, and the run
noise of the leader) on a store that was just opened and on one in use, the analysis alone, and what general
libraries and two published packages take for parts of it. What is extrapolated from one call says so.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats

from analysis.leaderboard import leaderboard
from answers.base import Answer
from answers.evals import read_evals
from answers.parameters import build
from answers.register import question
from benchmarks.measuring import machine, workplace
from benchmarks.timing import Timing, beside, header, interpreter_of, line, timed, versions
from data.importing import ImportOptions, import_files
from data.store import Store

MODELS, TASKS, RUNS, CLUSTERS = 20, 1000, 5, 200
SEED = 7
BENCHMARK = "made"
#: What one call of scipy resamples; its default for a permutation test.
RESAMPLES = 9_999


def outcomes() -> np.ndarray:
    """Passes (models x tasks x runs), 200 clusters of 5 tasks, as significance tests meet them."""
    generator = np.random.default_rng(SEED)
    hard = generator.normal(0, 1.5, TASKS) + np.repeat(generator.normal(0, 0.7, CLUSTERS), TASKS // CLUSTERS)
    skill = np.linspace(-0.5, 0.9, MODELS)
    own = generator.normal(0, 0.5, (MODELS, TASKS))
    chance = 1 / (1 + np.exp(-(skill[:, None] - hard + own)))
    return (generator.random((MODELS, TASKS, RUNS)) < chance[:, :, None]).astype(np.int8)


def frame_of(passed: np.ndarray) -> pd.DataFrame:
    """The outcomes as a file of one row a run, with clusters and eight domains."""
    model, task, run = (axis.ravel() for axis in np.indices(passed.shape))
    cluster = task // (TASKS // CLUSTERS)
    return pd.DataFrame(
        {
            "benchmark": BENCHMARK,
            "model": [f"model-{code:02}" for code in model],
            "task_id": [f"task-{code:04}" for code in task],
            "cluster_id": [f"cluster-{code:03}" for code in cluster],
            "domain": [f"domain-{code % 8}" for code in task],
            "run": run,
            "score": passed.ravel(),
        }
    )


def page(store: Store) -> None:
    """Everything the page asks for."""
    answer = _ask(store, "leaderboard", benchmark=BENCHMARK)
    _ask(store, "reliability", benchmark=BENCHMARK, model=answer.payload["models"][0]["model"])


def _ask(store: Store, name: str, **given: str) -> Answer:
    asked = question(name)
    return asked.ask(store, build(asked.parameters, given))


def opened_anew(path: Path) -> None:
    """The page on a store that this process has just opened."""
    with Store.open(path) as store:
        page(store)


def main(arguments: list[str]) -> None:
    """Make the data, time each, print the ratios."""
    passed = outcomes()
    interpreter = interpreter_of(arguments)
    with workplace() as folder:
        csv, path = Path(folder) / "made.csv", Path(folder) / "store.duckdb"
        frame_of(passed).to_csv(csv, index=False)
        with Store.open(path) as store:
            import_files(store, [csv], ImportOptions())
        cold = timed(lambda: opened_anew(path))
        with Store.open(path) as store:
            warm = timed(lambda: page(store))
            cells = read_evals(store, BENCHMARK).cells
        alone = timed(lambda: leaderboard(cells))
        two_way = timed(lambda: leaderboard(cells, also_by="domain"))
        others = [beside(interpreter, package, csv) for package in ("evalstats", "errorbars")]
    print(f"{machine()}; {versions('numpy', 'scipy', 'statsmodels')}")
    print(
        f"{MODELS} models x {TASKS:,} tasks x {RUNS} runs in {CLUSTERS} clusters; medians of 5, one warm-up"
    )
    print(header())
    print(line("page: store just opened", cold, alone))
    print(line("page: store in use", warm, alone))
    print(line("analysis alone: scores, 190 pairs, max-t, ranks, findings", alone, alone))
    print(line("  with domains as second grouping", two_way, alone))
    for title, timing in _general(passed).items():
        print(line(title, timing, alone))
    for told in others:
        if isinstance(told, str):
            print(told)
            continue
        for title, timing in told.items():
            print(line(title, timing, alone))


def _general(passed: np.ndarray) -> dict[str, Timing]:
    """Parts of the work by general libraries."""
    means = passed.mean(axis=2).T
    pairs = MODELS * (MODELS - 1) // 2
    clusters = np.repeat(np.arange(CLUSTERS), TASKS // CLUSTERS)
    rows = passed.astype(float).ravel()
    model, task, _ = (axis.ravel() for axis in np.indices(passed.shape))
    dummies = np.eye(MODELS)[model]
    gap = means[:, 10] - means[:, 11]

    def regression() -> None:
        sm.OLS(rows, dummies).fit(cov_type="cluster", cov_kwds={"groups": clusters[task]})

    def permuted() -> None:
        stats.permutation_test(
            (means[:, 10], means[:, 11]),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=RESAMPLES,
            rng=np.random.default_rng(1),
        )

    def resampled() -> None:
        stats.bootstrap(
            (gap,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=np.random.default_rng(1)
        )

    one_permutation, one_bootstrap = timed(permuted), timed(resampled)
    return {
        "statsmodels OLS on 100,000 rows, cluster errors: scores only": timed(regression),
        "scipy permutation_test, one pair, 9,999 resamples": one_permutation,
        f"  permutation times {pairs} pairs (extrapolated), no clusters": one_permutation.times(pairs),
        "scipy bootstrap, one pair, 9,999 resamples": one_bootstrap,
        f"  bootstrap times {pairs} pairs (extrapolated), no clusters": one_bootstrap.times(pairs),
    }


if __name__ == "__main__":
    main(sys.argv[1:])
