"""Forests to draw in tests."""

from analysis import wording
from analysis.figures import Forest, ForestRow

HEADERS = ("Solved", "95% interval", "Rank", "Tier")
HOSTILE = (
    "<b>bold</b> $x^2$ & <a href='javascript:alert(1)'>x</a>",
    "vendor/model-with-a-very-long-name-and-a-date-2026-11-01-thinking-high",
    "模型 \u202eevil %{x}\n next \x00line --> <style>*{}</style> \\frac{$",
    "$a$",
)


def row(label, value, low, high, rank="1", tier="A"):  # noqa: PLR0917 - reads as a table
    half_width = None if low is None or high is None else (high - low) / 2
    interval = "no interval" if half_width is None else wording.interval(low, high, "share")
    return ForestRow(
        label=label,
        value=value,
        low=low,
        high=high,
        columns=(wording.share(value, half_width), interval, rank, tier),
        band=tier,
        model=label,
        hover=f"{wording.share(value)} solved",
    )


def forest(rows, **changes):
    fields = {
        "name": "scores",
        "title": "Two models could be first",
        "subtitle": "Dot: share of tasks solved.",
        "rows": tuple(rows),
        "headers": HEADERS,
        "unit": "share",
        "axis_title": "Tasks solved",
        "takeaway": "Aster 5 solves 68.4%, 64.6 to 72.0.",
    }
    return Forest(**(fields | changes))


def look():
    """The leaderboard of the design's pictures."""
    rows = [
        row("Aster 5", 0.684, 0.646, 0.72, "1–2", "A"),
        row("Borealis L", 0.67, 0.631, 0.707, "1–2", "A"),
        row("Aster 4", 0.625, 0.584, 0.664, "3–4", "B"),
        row("Cedar 70B", 0.601, 0.56, 0.641, "3–5", "B"),
        row("Ember 2", 0.582, 0.54, 0.623, "4–5", "B"),
        row("Dune mini", 0.479, 0.437, 0.521, "6", "C"),
    ]
    return forest(rows, reference=0.625, reference_label="baseline Aster 4", highlight="Aster 5")


def hostile():
    """Names that try to be markup, formulas or too long; a row without an interval and one without a value."""
    rows = [
        row(HOSTILE[0], 1.0, 0.9, 1.0, "1–2", "A"),
        row(HOSTILE[1], 0.97, None, None, "1–2", "A"),
        row(HOSTILE[2], None, None, None, "unknown", "B"),
        row(HOSTILE[3], 0.0, 0.0, 0.04, "4", "C"),
    ]
    return forest(
        rows, reference=1.0, reference_label=f"baseline {HOSTILE[0]}", axis_title="<i>Solved</i> $y$"
    )


def many(count):
    return forest(
        [
            row(
                f"model-{i:02}",
                0.9 - 0.8 * i / count,
                0.87 - 0.8 * i / count,
                0.93 - 0.8 * i / count,
                str(i),
                "ABCDEFGH"[i % 60 // 8],
            )
            for i in range(count)
        ]
    )
