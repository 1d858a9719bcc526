import dataclasses
import hashlib
import os
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import forests
import matplotlib as mpl
import pytest

from charts import forest, paper
from charts.theme import PALETTES

ROOT = Path(__file__).parents[2]
LIGHT = PALETTES["light"]
CASES = {"look": forests.look, "hostile": forests.hostile, "sixty": lambda: forests.many(60)}


def elements(svg):
    return list(ET.fromstring(svg).iter())  # noqa: S314 - the text is the project's own


@pytest.mark.parametrize("case", CASES)
def test_the_drawing_is_one_svg_element_that_fits_its_container(case):
    svg = forest.paper(CASES[case]())
    root = elements(svg)[0]
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("width") == "100%"
    assert root.get("viewBox").startswith("0 0 704 ")
    assert root.get("role") == "img"
    assert root.get("aria-label") == forests.look().takeaway
    for unwanted in ("<?xml", "<!DOCTYPE", "<style", "<metadata", "<!--", "<text", "font-family", "<script"):
        assert unwanted not in svg


def test_the_drawing_is_byte_identical_between_runs_threads_and_processes():
    here = hashlib.sha256(forest.paper(forests.look()).encode()).hexdigest()
    found = []
    workers = [
        threading.Thread(
            target=lambda: found.append(hashlib.sha256(forest.paper(forests.look()).encode()).hexdigest())
        )
        for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [here] * 4
    code = (
        "import hashlib, sys, forests; from charts import forest;"
        "print(hashlib.sha256(forest.paper(forests.look()).encode()).hexdigest());"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    environment = os.environ | {
        "PYTHONHASHSEED": "7",
        "OMP_NUM_THREADS": "3",
        "SOURCE_DATE_EPOCH": "1",
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests" / "charts"))),
    }
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == here


def test_no_setting_of_matplotlib_is_left_changed():
    names = ("svg.hashsalt", "svg.fonttype", "text.parse_math", "text.usetex", "path.simplify")
    before = [mpl.rcParams[name] for name in names]
    forest.paper(forests.hostile())
    assert [mpl.rcParams[name] for name in names] == before


def test_the_highlighted_row_alone_is_in_accent():
    accent = LIGHT.accent.lower()
    svg = forest.paper(forests.look())
    assert svg.count(f"stroke: {accent}") == 1
    assert f"fill: {accent}" in svg
    assert accent not in forest.paper(dataclasses.replace(forests.look(), highlight=""))


def test_colours_are_those_of_the_light_theme():
    found = set(re.findall(r"#[0-9a-f]{6}\b", forest.paper(forests.look())))
    assert found == {c.lower() for c in (LIGHT.accent, LIGHT.ink, LIGHT.muted, LIGHT.surface, LIGHT.border)}


def test_ids_differ_between_figures_of_one_document():
    first = set(re.findall(r' id="([^"]+)"', forest.paper(forests.look())))
    other = forest.paper(dataclasses.replace(forests.look(), name="public split"))
    second = set(re.findall(r' id="([^"]+)"', other))
    assert first
    assert not first & second
    assert set(re.findall(r'href="#([^"]+)"', other)) <= second


def test_the_takeaway_is_escaped():
    data = dataclasses.replace(forests.look(), takeaway='"><script>alert(1)</script>\x00')
    svg = forest.paper(data)
    assert "<script" not in svg
    assert elements(svg)[0].get("aria-label") == '"><script>alert(1)</script>'


def test_a_character_without_a_glyph_is_a_question_mark():
    assert paper.drawable("模型 −≥…\u202e x") == "?? −≥… x"


def test_text_width_grows_with_text_size_and_weight():
    assert paper.text_width("") == 0
    assert paper.text_width("ab") == pytest.approx(paper.text_width("a") + paper.text_width("b"))
    assert paper.text_width("a", 26) == pytest.approx(2 * paper.text_width("a", 13), rel=0.01)
    assert paper.text_width("a", 13, "Semibold") > paper.text_width("a", 13)


def test_sixty_rows_stay_on_one_page():
    height = float(elements(forest.paper(forests.many(60)))[0].get("viewBox").split()[3])
    assert height <= 990
