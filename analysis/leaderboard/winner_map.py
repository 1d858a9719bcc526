"""Who is ahead when neither the mix nor the scores are known exactly: a map over how firm the mix is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.cells import Cells
from analysis.statistics.clusters import cluster_sums
from analysis.statistics.threads import single_thread

#: Concentrations of the Dirichlet around the weights; infinity is the mix exactly as given.
CERTAINTIES = (float("inf"), 50.0, 10.0)
DRAWS = 4_000
SEED = 20260101
#: Clusters a domain needs before a normal draw of its score says anything.
LEAST_CLUSTERS = 5
#: Scores nearer than this differ by rounding alone.
ALIKE = 1e-9


@dataclass(frozen=True)
class MapRow:
    """How often one contender is ahead of all others: one count of draws for each certainty."""

    model: str
    ahead: tuple[int, ...]


@dataclass(frozen=True)
class WinnerMap:
    """The map over ``certainties`` of the mix, from ``draws`` draws each.

    ``give`` is how far the share of the heaviest domain moves at each certainty (standard deviation, 0..1; 0
    for the mix as given). ``tasks`` are the tasks all contenders have a score on; ``reason`` says why there
    are no rows.
    """

    rows: tuple[MapRow, ...]
    certainties: tuple[float, ...]
    give: tuple[float, ...]
    draws: int
    tasks: int
    reason: str = ""


def winner_map(
    cells: Cells,
    weights: Mapping[str, float],
    *,
    certainties: Sequence[float] = CERTAINTIES,
    draws: int = DRAWS,
    seed: int = SEED,
) -> WinnerMap:
    """Draw mixes around ``weights`` and domain scores around the measured ones, and count who is ahead.

    Mixes are Dirichlet(certainty * weights) (significance.md T12). Scores are drawn from a normal with the
    joint CR1 covariance of all contenders' domain means, over clusters and on tasks that all contenders have,
    so that contenders who fail on the same tasks move together. A draw in which several score alike counts
    for none of them.

    Args:
        cells: of the benchmark, restricted to the contenders compared.
        weights: by domain; normalised here; domains of weight 0 stay out.
        certainties: concentrations; larger is firmer, infinity is the mix as given.
        draws: draws for each certainty.
        seed: of all draws.

    Raises:
        ValueError: no weight is above 0.
    """
    names = [name for name, weight in weights.items() if weight > 0]
    if not names:
        raise ValueError("one weight must be above 0")
    share = np.array([weights[name] for name in names], dtype=np.float64)
    share /= share.sum()
    codes = np.array([names.index(d) if d in names else -1 for d in cells.domains], dtype=np.int64)
    used = np.asarray((cells.scored > 0).all(axis=0) & (codes >= 0))
    certain = tuple(float(certainty) for certainty in certainties)
    give = tuple(_give(share, certainty) for certainty in certain)
    reason = _too_little(cells, names, codes, used)
    if reason:
        return WinnerMap((), certain, give, draws, int(used.sum()), reason)
    generator = np.random.default_rng(seed)
    with single_thread():
        scores = _drawn_scores(*_spread(cells, codes, used, len(names)), draws, generator)
        counts = [_ahead(scores, _drawn_mixes(share, certainty, draws, generator)) for certainty in certain]
    rows = tuple(
        MapRow(name, tuple(int(count[row]) for count in counts)) for row, name in enumerate(cells.contenders)
    )
    ordered = tuple(sorted(rows, key=lambda row: (*(-count for count in row.ahead), row.model)))
    return WinnerMap(ordered, certain, give, draws, int(used.sum()))


def _too_little(cells: Cells, names: list[str], codes: Integers, used: Booleans) -> str:
    if len(cells.contenders) < 2:
        return "one model has nobody to be ahead of"
    for code, name in enumerate(names):
        if len(np.unique(cells.cluster[used & (codes == code)])) < LEAST_CLUSTERS:
            return f"{name} has too few tasks that every model has a score on"
    return ""


def _give(share: Floats, certainty: float) -> float:
    """Standard deviation of the heaviest domain's share: sqrt(w (1 - w) / (certainty + 1))."""
    top = float(np.max(share))
    return 0.0 if np.isinf(certainty) else float(np.sqrt(top * (1 - top) / (certainty + 1)))


def _drawn_mixes(share: Floats, certainty: float, draws: int, generator: np.random.Generator) -> Floats:
    """Mixes: draws x domains."""
    if np.isinf(certainty):
        return np.broadcast_to(share, (draws, len(share)))
    drawn: Floats = generator.dirichlet(share * certainty, draws)
    return drawn


def _spread(cells: Cells, codes: Integers, used: Booleans, domains: int) -> tuple[Floats, Floats]:
    """Domain means (contenders x domains) and the root of their CR1 covariance, domains slowest.

    The influence of a cluster on a domain mean is the sum of its tasks' deviations over the domain's tasks,
    times sqrt(G / (G - 1)) of the domain; the covariance is the sum over clusters of influence outer
    products, whose root is the triangle of a QR decomposition.
    """
    values, cluster = cells.cell_means[:, used], cells.cluster[used]
    means = np.empty((len(values), domains))
    influence = []
    for domain in range(domains):
        inside = codes[used] == domain
        means[:, domain] = values[:, inside].mean(axis=1)
        pulled = np.where(inside, values - means[:, [domain]], 0.0) / inside.sum()
        groups = len(np.unique(cluster[inside]))
        factor = np.sqrt(groups / (groups - 1))
        influence.append(factor * np.stack([cluster_sums(row, cluster) for row in pulled]))
    root = np.asarray(np.linalg.qr(np.concatenate(influence).T, mode="r"), dtype=np.float64)
    return means, root


def _drawn_scores(means: Floats, root: Floats, draws: int, generator: np.random.Generator) -> Floats:
    """Domain scores: draws x contenders x domains, normal around the means."""
    contenders, domains = means.shape
    noise = generator.standard_normal((draws, len(root))) @ root
    drawn: Floats = means + noise.reshape(draws, domains, contenders).transpose(0, 2, 1)
    return drawn


def _ahead(scores: Floats, mixes: Floats) -> Integers:
    """How many draws each contender leads."""
    mixed = np.einsum("nmd,nd->nm", scores, mixes)
    second, first = np.partition(mixed, mixed.shape[1] - 2, axis=1)[:, -2:].T
    clear = first - second > ALIKE
    counts: Integers = np.bincount(np.argmax(mixed, axis=1)[clear], minlength=mixed.shape[1])
    return counts


@dataclass(frozen=True)
class DomainTurn:
    """One domain for contenders a and b: a minus b there, and the share of the mix that turns the order."""

    domain: str
    weight: float
    difference: float
    tasks: int
    turns_at: float | None


def domain_turns(cells: Cells, a: str, b: str, weights: Mapping[str, float]) -> tuple[DomainTurn, ...]:
    """What each domain says on ``a`` against ``b``, and from which share on it would turn the order.

    Empty where a domain of the mix has no task that both have a score on.

    Raises:
        KeyError: a contender is not among the cells.
    """
    names = [name for name, weight in weights.items() if weight > 0]
    gap = cells.cell_means[cells.index(a)] - cells.cell_means[cells.index(b)]
    domains = np.array([domain or "" for domain in cells.domains])
    parts = [gap[(domains == name) & ~np.isnan(gap)] for name in names]
    if not names or any(not len(part) for part in parts):
        return ()
    share = np.array([weights[name] for name in names], dtype=np.float64)
    share /= share.sum()
    differences = np.array([part.mean() for part in parts])
    return tuple(
        DomainTurn(name, float(weight), float(difference), len(part), turn)
        for name, weight, difference, part, turn in zip(
            names, share, differences, parts, turning_shares(share, differences), strict=True
        )
    )


def turning_shares(weights: Floats, differences: Floats) -> tuple[float | None, ...]:
    """For each domain, the share at which a weighted difference turns its sign, the others scaled alike.

    x* = r / (r - d) with d the domain's difference and r the weighted mean of the others'
    (significance.md T12); None where no share between 0 and 1 turns it, or nothing else has weight.
    """
    turned: list[float | None] = []
    for domain, own in enumerate(differences):
        rest = np.delete(weights, domain)
        if rest.sum() <= 0:
            turned.append(None)
            continue
        other = float(np.sum(rest * np.delete(differences, domain)) / rest.sum())
        span = other - float(own)
        at = other / span if span else -1.0
        turned.append(at if 0 < at < 1 else None)
    return tuple(turned)
