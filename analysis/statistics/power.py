"""How large a difference some tasks can show, and how many tasks show a difference."""

import math

from scipy import stats

from analysis.statistics.intervals import normal_quantile


def required_tasks(
    difference: float,
    *,
    between: float,
    noise: float = 0.0,
    confidence: float = 0.95,
    power: float = 0.8,
    design_effect: float = 1.0,
) -> float:
    """Tasks that show a true ``difference``: (z_{a/2} + z_b)^2 (omega^2 + noise) deff / delta^2.

    Miller 2024 (arXiv 2411.00640), equation 9. ``between`` is omega^2, the variance over tasks of the true
    difference; ``noise`` the sum over both contenders of run variance over runs a task.

    Raises:
        ValueError: the difference is 0.
    """
    if difference == 0:
        raise ValueError("no number of tasks shows a difference of 0")
    return _reach(confidence, power) ** 2 * (between + noise) * design_effect / difference**2


def detectable_difference(
    tasks: float,
    *,
    between: float,
    noise: float = 0.0,
    confidence: float = 0.95,
    power: float = 0.8,
    design_effect: float = 1.0,
) -> float:
    """The true difference that ``tasks`` show with the stated power; the inverse of ``required_tasks``."""
    return _reach(confidence, power) * math.sqrt((between + noise) * design_effect / tasks)


def _reach(confidence: float, power: float) -> float:
    return normal_quantile(confidence) + float(stats.norm.ppf(power))


def tasks_from_discordance(
    discordance: float, difference: float, *, confidence: float = 0.95, power: float = 0.8
) -> float:
    """Tasks for one binary run each, from the share of tasks where exactly one of two passes (Connor 1987).

    (z_{a/2} sqrt(psi) + z_b sqrt(psi - delta^2))^2 / delta^2.

    Raises:
        ValueError: the difference is 0 or larger than the discordance.
    """
    if not 0 < abs(difference) <= discordance <= 1:
        raise ValueError("a difference cannot be 0 nor exceed the share of tasks where the two differ")
    z = normal_quantile(confidence) * math.sqrt(discordance)
    reach = float(stats.norm.ppf(power)) * math.sqrt(discordance - difference**2)
    return (z + reach) ** 2 / difference**2


def tasks_unpaired(first: float, second: float, *, confidence: float = 0.95, power: float = 0.8) -> float:
    """Tasks for each of two shares on different tasks, by Cohen's arcsine effect size."""
    effect = 2 * math.asin(math.sqrt(second)) - 2 * math.asin(math.sqrt(first))
    return 2 * (_reach(confidence, power) / effect) ** 2


def difference_variance(first: float, second: float, correlation: float) -> float:
    """Variance over tasks of the difference of two correlated pass-or-fail outcomes."""
    ours, theirs = first * (1 - first), second * (1 - second)
    return ours + theirs - 2 * correlation * math.sqrt(ours * theirs)


def best_runs(
    *, between: float, noise_of_one_run: float, cost_per_task: float, cost_per_run: float
) -> int | None:
    """Runs a task that make a difference cheapest to show: K* = sqrt(c_task / c_run * s^2 / omega^2).

    The whole number beside K* with the smaller (c_task + K c_run)(omega^2 + s^2 / K); 1 where tasks are free.
    None where the true difference does not vary over tasks, for then more runs always pay.

    Args:
        between: omega^2.
        noise_of_one_run: s^2, run variance of both contenders together.
        cost_per_task: of owning one more task.
        cost_per_run: of one more run of both contenders.

    Raises:
        ValueError: a cost is negative or both are 0.
    """
    if min(cost_per_task, cost_per_run) < 0 or cost_per_task + cost_per_run == 0:
        raise ValueError("costs cannot be negative, and one of them must be above 0")
    if noise_of_one_run == 0 or cost_per_task == 0:
        return 1
    if between == 0 or cost_per_run == 0:
        return None
    ideal = math.sqrt(cost_per_task / cost_per_run * noise_of_one_run / between)
    candidates = {max(1, math.floor(ideal)), max(1, math.ceil(ideal))}
    return min(
        sorted(candidates),
        key=lambda runs: (cost_per_task + runs * cost_per_run) * (between + noise_of_one_run / runs),
    )
