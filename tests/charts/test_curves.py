import dataclasses
import math

import pytest

from analysis.figures import Line, Lines
from charts import curves
from charts.theme import PALETTES

TASKS = tuple(float(n) for n in range(100, 2001, 100))


def gap(runs):
    return tuple(1.3 * math.sqrt((0.02 + 0.01 / runs) / n) * 2.8 for n in TASKS)


def planner(**changes):
    fields = {
        "name": "planner",
        "title": "More tasks help; more runs hardly do",
        "subtitle": "Smallest difference, in points, found with 80% power at 5% error.",
        "lines": (Line("1 run", TASKS, gap(1), main=True), Line("3 runs", TASKS, gap(3))),
        "x_title": "Tasks",
        "x_unit": "count",
        "y_unit": "points",
        "marker": 300.0,
        "marker_label": "today 300",
        "takeaway": "300 tasks show 3.6 points.",
    }
    return Lines(**(fields | changes))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_main_line_is_thick_and_in_accent_and_the_axis_starts_at_zero(mode):
    figure = curves.screen(planner(), mode)
    main, other = figure.data
    assert (main.line.width, main.line.color) == (3, PALETTES[mode].accent)
    assert other.line.width < 3
    assert figure.layout.yaxis.range[0] == 0
    assert figure.layout.yaxis.ticktext[0] == "0"
    assert figure.layout.xaxis.ticktext[-1] == "2,000"


def test_lines_are_named_at_their_ends_without_covering_each_other():
    figure = curves.screen(planner(), "light")
    names = [a for a in figure.layout.annotations if a.x == 2000]
    assert [a.text for a in names] == ["<b>1 run</b>", "3 runs"]
    height = figure.layout.height - 80
    top = figure.layout.yaxis.range[1]
    places = [a.y / top * height + a.yshift for a in names]
    assert places[0] - places[1] >= 17


def test_today_is_marked():
    figure = curves.screen(planner(), "light")
    (line,) = figure.layout.shapes
    assert (line.x0, line.line.dash) == (300, "dot")
    assert "today 300" in [a.text for a in figure.layout.annotations]
    beyond = curves.screen(planner(marker=9000.0), "light")
    assert not beyond.layout.shapes
    late = curves.screen(planner(marker=1900.0), "light")
    assert next(a for a in late.layout.annotations if a.text == "today 300").xanchor == "right"


def test_the_hover_says_value_and_place():
    main = curves.screen(planner(), "light").data[0]
    assert main.hovertext[0] == f"<b>1 run</b><br>{gap(1)[0] * 100:.1f} points<br>Tasks: 100"


def test_a_missing_value_is_a_gap_and_unknown():
    values = (None, 0.05, 0.04, None, 0.03, 0.02)
    data = planner(lines=(Line("1 run", (1, 2, 3, 4, 5, 6), values, main=True),))
    trace = curves.screen(data, "light").data[0]
    assert list(trace.y) == list(values)
    assert trace.hovertext[0].split("<br>")[1] == "unknown"
    assert curves.paper(data).count("stroke-width: 2.4") == 2


def test_names_are_inert():
    data = planner(lines=(Line("<b>$x$</b>", (1.0, 2.0), (0.1, 0.2)),), marker_label="<i>now</i>")
    figure = curves.screen(data, "light")
    assert all("<i" not in a.text and "$" not in a.text for a in figure.layout.annotations)
    assert "&lt;b&gt;&#36;x&#36;&lt;/b&gt;" in figure.data[0].hovertext[0]


@pytest.mark.parametrize("values", [(0.0, 0.0), (0.1, 0.1), (-0.1, -0.2)])
def test_flat_and_negative_lines_have_a_range(values):
    data = planner(lines=(Line("a", (1.0, 2.0), values),))
    low, high = curves.screen(data, "light").layout.yaxis.range
    assert low <= min(values)
    assert high >= max(values)
    assert low < high
    assert curves.paper(data)


def test_one_point_has_a_range():
    low, high = curves.screen(planner(lines=(Line("a", (5.0,), (0.1,)),)), "light").layout.xaxis.range
    assert low < high


def test_nothing_to_draw_and_ragged_lines_are_refused():
    with pytest.raises(ValueError, match="no value"):
        curves.screen(planner(lines=(Line("a", (1.0,), (None,)),)), "light")
    with pytest.raises(ValueError, match="shorter"):
        curves.paper(planner(lines=(Line("a", (1.0, 2.0), (0.1,)),)))


def test_paper_is_byte_identical_and_main_is_in_accent():
    svg = curves.paper(planner())
    assert svg == curves.paper(planner())
    assert svg.count(f"stroke: {PALETTES['light'].accent.lower()}") == 1
    assert 'aria-label="300 tasks show 3.6 points."' in svg
    assert curves.paper(dataclasses.replace(planner(), marker=None)) != svg
