"""The planted truth of the sample: who solves what, how often, and at what cost.

All chances are whole thousandths and all arithmetic is on whole numbers, so that a seed gives one truth on
every machine and version. Models and projects are invented.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

BENCHMARK: Final = "Sample: bug fixes"
CANDIDATE: Final = "Aster 5"
INCUMBENT: Final = "Aster 4"
LOST_DOMAIN: Final = "concurrency"
UNPRICED: Final = "Cedar 70B"
#: A model that does better on published tasks than their difficulty explains.
LEAKED: Final = "Borealis L"
LEAKED_GAIN: Final = 90
DEFAULT_SEED: Final = 239
FLOOR, CEILING = 5, 995
_CLUSTER_SPREAD, _TASK_SPREAD, _TASTE_SPREAD = 420, 560, 200


@dataclass(frozen=True)
class Model:
    """An invented model. Prices are US cents for a million tokens, None where nobody sells it."""

    name: str
    provider: str
    runs: int
    turns: int
    output_per_turn: int
    milliseconds_per_turn: int
    price_uncached: int | None
    price_read: int | None
    price_write: int | None
    price_output: int | None
    first_day: int


@dataclass(frozen=True)
class Domain:
    """A domain: its tasks, their clusters, and each model's planted share solved, in thousandths."""

    name: str
    tasks: int
    clusters: int
    solved: Mapping[str, int]


@dataclass(frozen=True)
class Task:
    """A task. ``chances`` maps model to the chance of solving it in one run, in thousandths."""

    task_id: str
    cluster_id: str
    domain: str
    split: str
    weight: int
    chances: Mapping[str, int]


MODELS: Final = (
    Model("Aster 5", "aster", 5, 17, 1450, 8200, 400, 40, 500, 2000, 14),
    Model("Aster 4", "aster", 5, 21, 1700, 9800, 500, 50, 625, 2500, 0),
    Model("Borealis L", "borealis", 4, 18, 1300, 6900, 250, 25, 250, 1500, 7),
    Model("Cedar 70B", "self-hosted", 3, 24, 1150, 5200, None, None, None, None, 9),
    Model("Dune mini", "dune", 3, 14, 900, 2600, 40, 4, 50, 160, 7),
)

# Aster 5 against Aster 4: 70 tasks x +56, 80 tasks x +41 and 50 tasks x -144 thousandths add up to 0.
DOMAINS: Final = (
    Domain(
        "parsing",
        70,
        21,
        {"Aster 5": 696, "Aster 4": 640, "Borealis L": 610, "Cedar 70B": 540, "Dune mini": 410},
    ),
    Domain(
        "interfaces",
        80,
        24,
        {"Aster 5": 661, "Aster 4": 620, "Borealis L": 600, "Cedar 70B": 520, "Dune mini": 390},
    ),
    Domain(
        LOST_DOMAIN,
        50,
        15,
        {"Aster 5": 446, "Aster 4": 590, "Borealis L": 560, "Cedar 70B": 470, "Dune mini": 330},
    ),
)
_FIRST = ("amber", "brisk", "coral", "dusty", "ember", "fable", "grove", "harbour", "indigo", "juniper")
_LAST = {"parsing": "lexer", "interfaces": "panel", LOST_DOMAIN: "queue"}
_SUFFIX = ("", "-kit", "-core")


@dataclass(frozen=True)
class SampleTruth:
    """What the sample was made from. Shares are 0..1 and differences are ``model`` minus ``other``."""

    tasks: tuple[Task, ...]

    def mean(self, model: str, domain: str | None = None, split: str | None = None) -> float:
        """The mean chance over tasks, of a domain or split where one is named."""
        chances = [
            task.chances[model]
            for task in self.tasks
            if domain in (None, task.domain) and split in (None, task.split)
        ]
        return sum(chances) / (1000 * len(chances))

    def difference(self, model: str, other: str, domain: str | None = None) -> float:
        """The planted difference of two models."""
        return self.mean(model, domain) - self.mean(other, domain)


@lru_cache(maxsize=4)
def sample_truth(seed: int = DEFAULT_SEED) -> SampleTruth:
    """The truth behind the sample of ``seed``."""
    source = random.Random(f"truth {seed}")  # noqa: S311 - a reproducible sample, no secret
    return SampleTruth(tuple(task for domain in DOMAINS for task in _domain_tasks(domain, source)))


def _domain_tasks(domain: Domain, source: random.Random) -> list[Task]:
    names = [
        f"{_FIRST[index % len(_FIRST)]}-{_LAST[domain.name]}{_SUFFIX[index // len(_FIRST)]}"
        for index in range(domain.clusters)
    ]
    members = _members(domain, source)
    common = [_bell(source, _CLUSTER_SPREAD) for _ in names]
    tastes = {model.name: [_bell(source, _TASTE_SPREAD) for _ in names] for model in MODELS}
    difficulty = [_bell(source, _TASK_SPREAD) for _ in members]
    private = [below(source, 1000) < 300 for _ in names]
    weights = [700 + below(source, 900) for _ in members]
    chances: dict[str, list[int]] = {}
    for model in MODELS:
        raw = [
            common[cluster] + tastes[model.name][cluster] + hard
            for cluster, hard in zip(members, difficulty, strict=True)
        ]
        chances[model.name] = _levelled(raw, domain.solved[model.name] * domain.tasks)
    chances[LEAKED] = [
        chance if private[cluster] else min(chance + LEAKED_GAIN, CEILING)
        for chance, cluster in zip(chances[LEAKED], members, strict=True)
    ]
    counts = [0] * len(names)
    tasks = []
    for index, cluster in enumerate(members):
        counts[cluster] += 1
        tasks.append(
            Task(
                task_id=f"{names[cluster]}-{counts[cluster]}",
                cluster_id=names[cluster],
                domain=domain.name,
                split="private" if private[cluster] else "public",
                weight=weights[index],
                chances={model.name: chances[model.name][index] for model in MODELS},
            )
        )
    return tasks


def _members(domain: Domain, source: random.Random) -> list[int]:
    """The cluster of each task: every cluster has at least one, the rest fall unevenly."""
    extra = [min(below(source, domain.clusters), below(source, domain.clusters)) for _ in range(domain.tasks)]
    return sorted([*range(domain.clusters), *extra[: domain.tasks - domain.clusters]])


def _levelled(raw: list[int], wanted: int) -> list[int]:
    """``raw`` shifted and cut to the allowed range so that the sum is exactly ``wanted``."""
    low, high = -4000, 4000
    while low < high:
        middle = (low + high + 1) // 2
        if sum(_cut(value + middle) for value in raw) <= wanted:
            low = middle
        else:
            high = middle - 1
    levelled = [_cut(value + low) for value in raw]
    rest = wanted - sum(levelled)
    for index, value in enumerate(levelled):
        if rest and value < CEILING:
            levelled[index] += 1
            rest -= 1
    return levelled


def _cut(value: int) -> int:
    return min(max(value, FLOOR), CEILING)


def _bell(source: random.Random, spread: int) -> int:
    """A whole number around 0 with a bell shape: three draws from -spread..spread, averaged."""
    return sum(below(source, 2 * spread + 1) - spread for _ in range(3)) // 3


def below(source: random.Random, limit: int) -> int:
    """A whole number from 0 to ``limit`` - 1. Random bits are the one stream Python promises to keep."""
    return (source.getrandbits(32) * limit) >> 32
