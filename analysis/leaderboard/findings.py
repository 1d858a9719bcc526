"""What a careful reader should know about a leaderboard, in sentences with numbers."""

from collections.abc import Callable, Iterator

from analysis.leaderboard import findings_data, findings_groups, findings_result
from analysis.leaderboard.picture import Picture
from analysis.results import Finding

#: Each check yields the findings it has; order within a status is the order here.
CHECKS: tuple[Callable[[Picture], Iterator[Finding]], ...] = (
    findings_data.too_little,
    findings_data.coverage,
    findings_data.unscored,
    findings_result.verdict_changes,
    findings_data.uneven_runs,
    findings_data.single_runs,
    findings_groups.clusters,
    findings_groups.few_clusters,
    findings_groups.second_grouping,
    findings_result.small_wins,
    findings_result.extremes,
    findings_result.identical,
    findings_result.flattered,
    findings_result.too_many_pairs,
    findings_data.costs,
)


def findings(picture: Picture) -> tuple[Finding, ...]:
    """All findings of a leaderboard, unordered."""
    return tuple(finding for check in CHECKS for finding in check(picture))
