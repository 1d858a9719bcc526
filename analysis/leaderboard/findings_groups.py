"""Findings about groups of tasks that move together: clusters, and domains as a second grouping."""

from collections.abc import Iterator

from analysis import wording
from analysis.leaderboard.picture import Picture
from analysis.results import Finding
from analysis.statistics.clusters import FEW_CLUSTERS, LEAST_CLUSTERS
from analysis.statistics.two_way import count_groups

#: Design effect from which the number of tasks misleads.
DESIGN_EFFECT = 1.5


def clusters(picture: Picture) -> Iterator[Finding]:
    """Clusters that cost information, one that dominates, ids that are missing or contradict."""
    cells = picture.stored
    if cells.unclustered:
        verb = (
            "has no cluster id; it counts as its own cluster"
            if cells.unclustered == 1
            else "have no cluster id; each counts as its own cluster"
        )
        yield Finding(
            "caution",
            f"{wording.count(cells.unclustered)} of {wording.plural(len(cells.tasks), 'task')} {verb}.",
            "If they are related to others, the intervals are too narrow.",
        )
    if cells.conflicting:
        yield Finding(
            "caution",
            f"{wording.plural(cells.conflicting, 'task')} {_have(cells.conflicting)} several cluster ids; "
            "the most frequent one counts.",
            "A task belongs to one cluster.",
        )
    unit = picture.cells.unit
    if not picture.scored or unit == "task":
        return
    effects = [(s.moments.design_effect, s) for s in picture.scored if s.moments and s.moments.design_effect]
    if effects:
        effect, widest = max(effects, key=lambda item: item[0])
        if (
            effect >= DESIGN_EFFECT
            and widest.moments is not None
            and widest.moments.effective_tasks is not None
        ):
            yield Finding(
                "caution",
                f"{wording.plural(widest.moments.tasks, 'task')} in "
                f"{wording.plural(widest.moments.clusters, unit)} carry the information of "
                f"{wording.count(widest.moments.effective_tasks)} independent ones for {widest.contender} "
                f"(design effect {wording.number(effect, 0.2)}).",
                f"Tasks of one {unit} succeed and fail together.",
            )
    share = max(score.moments.largest_share for score in picture.scored if score.moments)
    if share > 0.5 and picture.cells.groups > 1:
        yield Finding(
            "caution",
            f"One {unit} holds {wording.share(share)} of the tasks, so errors over {unit}s are unreliable.",
            f"With one {unit} above half of the tasks the error estimate has almost no data.",
        )


def few_clusters(picture: Picture) -> Iterator[Finding]:
    """Too few clusters for a test, or few enough to need another one."""
    count, unit = picture.cells.groups, picture.cells.unit
    if unit == "task" or not picture.scored:
        return
    if count == 1:
        yield Finding(
            "undecided",
            f"All tasks belong to one {unit}, so no interval and no verdict is possible.",
            f"How {unit}s differ from each other cannot be seen in one.",
        )
    elif count < LEAST_CLUSTERS:
        yield Finding(
            "undecided",
            f"{count} {unit}s can never reach p 0.05: whole {unit}s give at least p "
            f"{wording.p_number(2 / 2**count)}, and a verdict needs {LEAST_CLUSTERS}.",
            f"Intervals use t over {unit}s and are wide.",
        )
    elif count < FEW_CLUSTERS:
        yield Finding(
            "caution",
            f"With {count} {unit}s each verdict must also pass a sign-flip test of whole {unit}s, whose p "
            f"is at least {wording.p_number(2 / 2**count)}.",
            f"Below {FEW_CLUSTERS} {unit}s t over {unit}s is not enough.",
        )


def second_grouping(picture: Picture) -> Iterator[Finding]:
    """What the domains as second grouping changed, or why they could not."""
    if picture.also_by == "none" or not picture.scored:
        return
    cells = picture.cells
    if cells.also is None:
        yield Finding(
            "caution",
            "No task names a domain, so the errors allow for no second grouping.",
            "Import a domain column, or leave the second grouping out.",
        )
        return
    silent = sum(domain is None for domain in cells.domains)
    if silent:
        yield Finding(
            "caution",
            f"{wording.count(silent)} of {wording.plural(len(cells.tasks), 'task')} "
            f"{'has no domain and counts' if silent == 1 else 'have no domain; each counts'} as its own.",
            "If they are related to others, the intervals are too narrow.",
        )
    domains = wording.plural(count_groups(cells.also), "domain")
    if len(cells.groupings) == 1:
        ours = "task" if cells.one_cluster_a_task else "cluster"
        inner, outer = (ours, "domain") if cells.unit == "domain" else ("domain", ours)
        yield Finding(
            "good",
            f"Errors are taken over {domains if outer == 'domain' else f'{outer}s'}, for every {inner} lies "
            f"in one {outer}.",
            "The coarser grouping holds all that moves together.",
        )
    else:
        yield Finding(
            "good",
            f"Errors allow for {wording.plural(len(cells.cluster_names), 'cluster')} and {domains} at once; "
            f"t has {cells.groups - 1} degrees of freedom.",
            "Tasks that share either may succeed and fail together.",
        )
    if picture.clipped:
        yield Finding(
            "caution",
            "Errors over clusters and domains do not fit together everywhere: some variance came out "
            "negative and was raised.",
            "Such a score or pair has the larger of its two errors; their joint draws set negative "
            "eigenvalues to 0.",
        )


def _have(count: int) -> str:
    return "has" if count == 1 else "have"
