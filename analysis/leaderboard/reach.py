"""The gap that more or fewer tasks would show, for the planner's figure."""

import math

#: Points of the curve; enough for a smooth line.
POINTS = 40


def reach(detectable: float, tasks: int, *, most: int | None = None) -> tuple[tuple[int, float], ...]:
    """(number of tasks, detectable gap), ascending, from a fifth of today's tasks to ``most``.

    The standard error of a mean falls with the square root of the number of tasks, so a gap of ``detectable``
    at ``tasks`` is detectable * sqrt(tasks / n) at n.

    Args:
        detectable: gap (share) seen with ``tasks``.
        tasks: today's number, at least 1.
        most: largest number of tasks (default: six times today's).
    """
    first = max(10, tasks // 5)
    last = max(most or 6 * tasks, first + 1)
    step = (last / first) ** (1 / (POINTS - 1))
    counts = sorted({round(first * step**index) for index in range(POINTS)} | {tasks, last})
    return tuple((count, detectable * math.sqrt(tasks / count)) for count in counts)
