"""Eval results as questions read them: which benchmark, which contenders, as cells."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.statistics.cells import Cells
from data import queries
from data.errors import InputError
from data.store import Store


@dataclass(frozen=True)
class Evals:
    """The cells of one benchmark and metric; ``metrics`` are all that are loaded, the headline first."""

    benchmark: str
    cells: Cells
    contenders: tuple[str, ...]
    models: tuple[str, ...]  # of each contender, in that order
    metrics: tuple[str, ...]
    metric: str | None


def read_evals(store: Store, benchmark: str, *, metric: str | None = None, split: str | None = None) -> Evals:
    """Read one benchmark.

    Raises:
        InputError: nothing is loaded under that benchmark, metric or split; the message lists what is.
    """
    key = ("evals", benchmark, metric, split)
    return store.remembered(key, lambda: _read(store, benchmark, metric, split))


def _read(store: Store, benchmark: str, metric: str | None, split: str | None) -> Evals:
    overview = queries.benchmarks(store)
    known = list(overview["benchmark"])
    if benchmark not in known:
        raise InputError(f"no eval results for benchmark {benchmark!r}; {_listed('loaded', known)}")
    row = overview[overview["benchmark"] == benchmark].iloc[0]
    metrics = tuple(row["metrics"])
    _require(metric, metrics, f"benchmark {benchmark!r} has no metric")
    headlines = [str(name) for name in row["headline_metrics"]]
    if metric is None and len(headlines) > 1:
        metric = headlines[0]  # the files disagree on what counts; pooling would mix two scales
    _require(split, tuple(row["splits"]), f"benchmark {benchmark!r} has no split")
    frame = queries.eval_cells(store, benchmark, metric=metric, split=split)
    models = frame.drop_duplicates("contender").set_index("contender")["model"]
    cells = Cells.from_frame(frame)
    return Evals(
        benchmark=benchmark,
        cells=cells,
        contenders=cells.contenders,
        models=tuple(str(models[name]) for name in cells.contenders),
        metrics=metrics,
        metric=metric,
    )


def choose_contenders(evals: Evals, asked: Sequence[str]) -> tuple[str, ...]:
    """The contenders named by ``asked``, in that order; a model's name stands for all its variants.

    Raises:
        InputError: a name fits no contender; the message offers near ones.
    """
    chosen: list[str] = []
    for name in asked:
        if name in evals.contenders:
            fitting = [name]
        else:
            fitting = [
                contender
                for contender, model in zip(evals.contenders, evals.models, strict=True)
                if model == name
            ]
        if not fitting:
            near = difflib.get_close_matches(name, evals.contenders, n=3, cutoff=0.3)
            raise InputError(
                f"no model {name!r} in benchmark {evals.benchmark!r}; "
                + _listed("did you mean" if near else "it has", near or list(evals.contenders))
            )
        chosen += [contender for contender in fitting if contender not in chosen]
    return tuple(chosen)


def choose_one(evals: Evals, name: str) -> str:
    """The one contender of that name.

    Raises:
        InputError: no contender has it, or it is a model with several variants.
    """
    chosen = choose_contenders(evals, [name])
    if len(chosen) > 1:
        raise InputError(f"{name!r} has {len(chosen)} variants; name one: {', '.join(chosen)}")
    return chosen[0]


def _require(value: str | None, known: tuple[str, ...], problem: str) -> None:
    if value is not None and value not in known:
        raise InputError(f"{problem} {value!r}; {_listed('it has', [name for name in known if name])}")


def _listed(intro: str, names: Sequence[str], most: int = 8) -> str:
    if not names:
        return "nothing is loaded yet"
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{intro}: {', '.join(names[:most])}{more}"
