import dataclasses
import json
import math

import forests
import pytest

from charts import forest, forest_parts
from charts.theme import MODEL_COLOURS, MODEL_SYMBOLS, PALETTES

MODES = ("light", "dark")


def texts(figure):
    return [annotation.text for annotation in figure.layout.annotations]


def marks(figure):
    return figure.data[-1]


@pytest.mark.parametrize("mode", MODES)
def test_a_row_is_a_line_and_a_mark_in_the_colour_and_symbol_of_its_model(mode):
    figure = forest.screen(forests.look(), mode)
    lines = figure.data[:-1]
    assert [tuple(line.x) for line in lines] == [(r.low, r.high) for r in forests.look().rows]
    assert {line.line.width for line in lines} == {3}
    assert list(marks(figure).x) == [r.value for r in forests.look().rows]
    slots = {name: i for i, name in enumerate(sorted(r.label for r in forests.look().rows))}
    wanted = [slots[r.label] for r in forests.look().rows]
    assert list(marks(figure).marker.color) == [MODEL_COLOURS[mode][slot] for slot in wanted]
    assert list(marks(figure).marker.symbol) == [MODEL_SYMBOLS[slot] for slot in wanted]
    assert [line.line.color for line in lines] == list(marks(figure).marker.color)


def test_a_colour_stays_when_rows_are_filtered():
    everyone = [r.model for r in forests.look().rows]
    few = dataclasses.replace(forests.look(), rows=forests.look().rows[3:])
    before = forest.screen(forests.look(), "light", everyone)
    after = forest.screen(few, "light", everyone)
    assert list(marks(after).marker.color) == list(marks(before).marker.color)[3:]


def test_beyond_eight_models_candidate_baseline_and_best_are_coloured():
    data = forests.many(20)
    data = dataclasses.replace(data, highlight="model-15", reference=data.rows[17].value)
    figure = forest.screen(data, "light")
    grey = PALETTES["light"].other_model
    coloured = [i for i, colour in enumerate(marks(figure).marker.color) if colour != grey]
    assert coloured == [0, 1, 2, 3, 4, 5, 15, 17]
    assert set(marks(figure).marker.symbol[6:15]) == {"circle-open"}


def test_numbers_stand_beside_the_rows_and_a_tier_once_beside_its_band():
    figure = forest.screen(forests.look(), "light")
    written = texts(figure)
    assert "<b>68.4%</b>" in written
    assert "64.6 to 72.0" in written
    assert [written.count(f"<b>{tier}</b>") for tier in "ABC"] == [1, 1, 1]
    tier_b = next(a for a in figure.layout.annotations if a.text == "<b>B</b>")
    assert tier_b.y == 3
    headers = [a for a in figure.layout.annotations if a.text in forests.HEADERS]
    assert {a.y for a in headers} == {-0.8}
    shifts = [a.xshift for a in headers]
    assert shifts == sorted(shifts)
    assert figure.layout.margin.r > shifts[-1]


def test_every_other_tier_has_a_ground_behind_the_whole_row():
    shapes = forest.screen(forests.look(), "dark").layout.shapes
    grounds = [s for s in shapes if s.type == "rect"]
    assert [(s.y0, s.y1) for s in grounds] == [(-0.5, 1.5), (4.5, 5.5)]
    assert {s.fillcolor for s in grounds} == {PALETTES["dark"].surface}
    assert all(s.xref == "paper" and s.x0 < 0 and s.x1 > 1 for s in grounds)


def test_the_baseline_is_dotted_and_labelled_and_zero_is_not_dotted():
    figure = forest.screen(forests.look(), "light")
    (line,) = [s for s in figure.layout.shapes if s.type == "line"]
    assert (line.x0, line.x1, line.line.dash) == (0.625, 0.625, "dot")
    assert "baseline Aster 4" in texts(figure)
    zero = dataclasses.replace(forests.look(), reference=0.0, unit="points")
    assert forest.screen(zero, "light").layout.shapes[-1].line.dash == "solid"
    without = dataclasses.replace(forests.look(), reference=None)
    assert not [s for s in forest.screen(without, "light").layout.shapes if s.type == "line"]


@pytest.mark.parametrize(
    ("place", "width", "side"),
    [(0.5, 0.4, "center"), (0.9, 0.4, "right"), (0.1, 0.4, "left"), (0.3, 1.6, "right")],
)
def test_a_label_keeps_out_of_the_columns(place, width, side):
    assert forest_parts.anchor(place, width) == side


def test_a_long_label_of_the_baseline_grows_to_the_left():
    data = dataclasses.replace(
        forests.look(), reference=0.66, reference_label="baseline Claude 4 Sonnet (20250514)"
    )
    label = next(a for a in forest.screen(data, "light").layout.annotations if a.text == data.reference_label)
    assert label.xanchor == "right"


def test_what_is_missing_is_said_and_not_drawn():
    figure = forest.screen(forests.hostile(), "light")
    assert len(figure.data) == 3  # two intervals and the marks
    assert list(marks(figure).y) == [0, 1, 3]
    places = {a.text: a.y for a in figure.layout.annotations if a.xref != "paper"}
    assert places["no interval"] == 1
    assert places["unknown"] == 2


def test_a_number_that_is_not_one_counts_as_missing():
    rows = [forests.row("a", 0.5, 0.4, 0.6), forests.row("b", math.nan, math.nan, math.nan)]
    figure = forest.screen(forests.forest(rows), "light")
    assert list(marks(figure).y) == [0]
    assert "NaN" not in figure.to_json()
    assert forest.paper(forests.forest(rows))


def test_nothing_known_still_has_an_axis_and_a_word():
    figure = forest.screen(forests.forest([forests.row("only", None, None, None, "unknown", "")]), "light")
    assert "unknown" in texts(figure)
    assert list(figure.layout.xaxis.range) == [0, 1]


def test_markup_and_formulas_in_names_are_inert():
    figure = forest.screen(forests.hostile(), "light")
    shown = [
        *texts(figure),
        *figure.layout.yaxis.ticktext,
        *marks(figure).hovertext,
        figure.layout.xaxis.title.text,
    ]
    for text in shown:
        inner = text.replace("<b>", "", 1).replace("</b>", "", 1).replace("<br>", "")
        assert "<" not in inner, text
        assert "$" not in text
        assert "\u202e" not in text
    assert marks(figure).hovertemplate is None


def test_a_long_name_is_cut_on_the_axis_and_whole_in_the_hover():
    figure = forest.screen(forests.hostile(), "light")
    label = figure.layout.yaxis.ticktext[1]
    assert len(label) == 34
    assert label.startswith("vendor/")
    assert label.endswith("thinking-high")
    assert forests.HOSTILE[1] in marks(figure).hovertext[1].replace("<br>", "")


@pytest.mark.parametrize("count", [1, 16, 17, 60])
def test_height_follows_the_rows(count):
    figure = forest.screen(forests.many(count), "light")
    assert figure.layout.height == (42 if count < 17 else 32) * count + 80
    assert figure.layout.yaxis.range[0] == count - 0.5
    assert figure.layout.yaxis.range[1] < -0.8


def test_marks_at_0_and_1_are_inside_the_axis_and_no_tick_lies_beyond():
    axis = forest.screen(forests.hostile(), "light").layout.xaxis
    assert axis.range[0] < 0
    assert axis.range[1] > 1
    assert axis.ticktext[0] == "0"
    assert axis.ticktext[-1] == "100%"


def test_one_value_for_all_has_a_visible_span():
    rows = [forests.row(name, 0.5, 0.5, 0.5) for name in "abc"]
    low, high = forest.screen(forests.forest(rows), "light").layout.xaxis.range
    assert low < 0.5 < high
    assert high - low >= 0.02 - 1e-12


def test_no_rows_and_ragged_columns_are_refused():
    with pytest.raises(ValueError, match="no rows"):
        forest.screen(forests.forest([]), "light")
    with pytest.raises(ValueError, match="no rows"):
        forest.paper(forests.forest([]))
    with pytest.raises(ValueError, match="4 texts for 1 header"):
        forest.screen(forests.forest([forests.row("a", 0.5, 0.4, 0.6)], headers=("Solved",)), "light")


@pytest.mark.parametrize("mode", MODES)
def test_every_colour_comes_from_the_theme(mode):
    palette = PALETTES[mode]
    allowed = {*dataclasses.asdict(palette).values(), *MODEL_COLOURS[mode], "rgba(0,0,0,0)"}

    def colours(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                if "color" in key and isinstance(inner, str):
                    yield inner
                elif key != "template":
                    yield from colours(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from colours(inner)

    found = set(colours(json.loads(forest.screen(forests.look(), mode).to_json())))
    assert found
    assert found <= allowed
