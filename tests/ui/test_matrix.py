"""The pairwise matrix says every pair in words and opens it."""

from analysis.figures import PairMatrix, PairTile
from ui.matrix import matrix_html

MATRIX = PairMatrix(
    name="pairs",
    title="1 of 1 pairs differ",
    subtitle="Row minus column in points.",
    labels=("Aster <5>", "Aster 4", "Alone"),
    tiles=(
        PairTile("Aster <5>", "Aster 4", 0.059, 0.024, 0.094, "better"),
        PairTile("Aster 4", "Aster <5>", -0.059, -0.094, -0.024, "worse"),
    ),
)


def test_a_tile_says_word_difference_and_interval():
    html = matrix_html(MATRIX, MATRIX.labels)
    assert "better +5.9" in html
    assert "<span>+2.4 to +9.4</span>" in html
    assert "worse −5.9" in html


def test_names_are_escaped_where_they_are_read_back():
    html = matrix_html(MATRIX, MATRIX.labels)
    assert "<5>" not in html
    assert 'data-row="Aster &lt;5&gt;"' in html


def test_the_chosen_pair_is_pressed_from_both_sides():
    html = matrix_html(MATRIX, MATRIX.labels, ("Aster 4", "Aster <5>"))
    assert html.count('aria-pressed="true"') == 2


def test_only_the_columns_asked_for_stand_at_the_top_and_empty_rows_go():
    html = matrix_html(MATRIX, ["Aster 4"])
    assert html.count('scope="col"') == 1
    assert html.count('scope="row"') == 1
    assert "Alone" not in html


def test_a_pair_without_shared_tasks_is_unknown_not_undecided():
    tile = PairTile("a", "b", None, None, None, "undecided")
    html = matrix_html(PairMatrix("p", "t", "s", ("a", "b"), (tile,)), ["b"])
    assert "unknown" in html
    assert "no shared task" in html
