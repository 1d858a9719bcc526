"""Components are text: verdicts carry icon, word and colour, and nothing from a file becomes markup."""

import re

import pytest

from analysis.results import Finding
from answers.base import Fact, Headline, Strip
from charts.theme import VERDICT
from ui import components
from ui.components import Cell, Chip, Figure, Step

EVIL = '<img src=x onerror="alert(1)">&'


def headline(status="good", **changes):
    values = {
        "word": "Better",
        "sentence": "Aster 5 solves 5.9 points more than Aster 4.",
        "explanation": "Borealis L is undecided.",
        "facts": (Fact("Interval", "2.4 to 9.4 points"),),
        "number": "+5.9",
        "number_unit": "points, 2.4 to 9.4",
    }
    return Headline(status=status, **(values | changes))


@pytest.mark.parametrize("status", VERDICT)
def test_a_verdict_is_icon_word_and_colour(status):
    html = components.verdict(headline(status))
    assert f'<span class="sw-icon" aria-hidden="true">{VERDICT[status].icon}</span>Better' in html
    assert f'class="sw-verdict sw-{status}"' in html
    assert 'aria-label="Verdict"' in html
    assert "<dt>Interval</dt><dd>2.4 to 9.4 points</dd>" in html


def test_an_empty_explanation_leaves_no_empty_line():
    assert "<p></p>" not in components.verdict(headline(explanation=""))


@pytest.mark.parametrize(
    "html",
    [
        components.verdict(
            headline(word=EVIL, sentence=EVIL, explanation=EVIL, facts=(Fact(EVIL, EVIL),)), EVIL
        ),
        components.chips([Chip(EVIL, EVIL, EVIL)]),
        components.kpis([Figure(EVIL, EVIL, EVIL)]),
        components.track([Step(EVIL, EVIL, "now")], EVIL),
        components.findings([Finding("bad", EVIL, EVIL)], EVIL),
        components.question(
            EVIL, headline(sentence=EVIL, number=EVIL, number_unit=EVIL, strip=Strip(1, 0, 2, 0, EVIL))
        ),
        components.figure_head(EVIL, EVIL),
        components.note(EVIL),
        components.empty(EVIL, EVIL),
        components.table([EVIL], [[Cell(EVIL, EVIL)]], EVIL),
    ],
    ids=["verdict", "chips", "kpis", "track", "findings", "question", "head", "note", "empty", "table"],
)
def test_text_from_files_is_never_markup(html):
    assert "<img" not in html
    assert 'onerror="' not in html
    assert "&lt;img" in html


def test_chips_fill_only_for_problems():
    html = components.chips([Chip("300", "tasks"), Chip("11", "cells missing", status="caution")])
    assert "<li><b>300</b> tasks</li>" in html
    assert '<li class="sw-caution"><b>11</b> cells missing</li>' in html


def test_findings_are_listed_bad_first():
    html = components.findings(
        [Finding("unknown", "third"), Finding("good", "second"), Finding("bad", "first")]
    )
    assert html.index("first") < html.index("second") < html.index("third")


def test_the_track_names_the_current_step():
    html = components.track(
        [Step("Upload", "a.csv", "done"), Step("Check", "now", "now"), Step("Import", "", "later")], "Steps"
    )
    assert html.count('aria-current="step"') == 1
    assert re.search(r'<li class="sw-now" aria-current="step"><b>2 Check', html)


def test_a_strip_keeps_estimate_interval_and_mark_in_order_inside_the_line():
    html = components.interval_strip(headline(strip=Strip(5.9, 2.4, 9.4, 0, "no change")))
    low, high, dot, mark = (float(value) for value in re.findall(r"--\w+:([\d.]+)%", html))
    assert 0 < mark < low < dot < high < 100
    assert "mark: no change" in html


def test_a_strip_of_one_point_stays_inside_the_line():
    html = components.interval_strip(headline("unknown", strip=Strip(0, 0, 0, 0, "no change")))
    assert all(0 < float(value) < 100 for value in re.findall(r"--\w+:([\d.]+)%", html))


def test_a_column_of_numbers_is_set_right_with_its_header():
    html = components.table(["File", "Rows"], [[Cell("a.csv"), Cell("5,400", number=True)]], "Loaded")
    assert '<th scope="col" class="sw-number">Rows</th>' in html
    assert '<td class="sw-number">5,400</td>' in html
    assert '<th scope="row">a.csv</th>' in html
