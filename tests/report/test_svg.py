import re
from xml.etree import ElementTree as ET

import pytest
from made_boards import board_answer

from charts import forest
from report.formats.svg import inline


def drawn(**changes):
    return forest.paper(board_answer(**changes).figures[0])


def test_a_figure_keeps_its_marks_and_loses_its_weight():
    before = drawn()
    after = inline(before, prefix="f1_", label="said")
    assert len(after) < 0.7 * len(before)
    for tag in ("use", "path"):
        assert len(re.findall(f"<{tag}[ />]", after)) == len(re.findall(f"<{tag}[ />]", before))


def test_every_reference_is_found_under_the_prefix():
    after = inline(drawn(), prefix="f1_", label="said")
    ids = re.findall(r'\bid="([^"]+)"', after)
    references = set(re.findall(r'href="#([^"]+)"', after))
    assert len(ids) == len(set(ids))
    assert references == set(ids)
    assert all(name.startswith("f1_") for name in ids)


def test_it_is_one_labelled_picture():
    drawing = inline(drawn(), prefix="a", label='<b> & "quoted"')
    root = ET.fromstring(drawing)  # noqa: S314 - drawn by this test
    assert root.attrib.pop("stroke-linejoin", "round") == "round"
    assert root.attrib == {"viewBox": "0 0 704 202", "role": "img", "aria-label": '<b> & "quoted"'}
    assert {element.tag for element in root.iter()} <= {"svg", "g", "defs", "path", "use", "rect", "clipPath"}


def test_numbers_are_rounded_and_letters_stay_in_place():
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
        '<metadata>who</metadata><g id="unused"><defs><path id="glyph" d="M 160 -320.5&#10;L 1.23456 2 z" '
        'transform="scale(0.015625)"/></defs><a xlink:href="http://evil.example"><path d="M 1.23456 2 &#10;L -3 4"/></a>'
        '<use xlink:href="#glyph" transform="translate(49.703125 0)"/><use xlink:href="#glyph" x="1.98765"/></g></svg>'
    )
    assert inline(svg, prefix="p", label="l") == (
        '<svg viewBox="0 0 9 9" role="img" aria-label="l"><defs><path id="p0" d="M10-20L0 0z" transform="scale(0.25)"/>'
        '</defs><path d="M1.23 2L-3 4"/><use href="#p0" x="50"/><use href="#p0" x="1.99"/></svg>'
    )


@pytest.mark.parametrize(
    "text", ["<svg", "<p viewBox='0 0 1 1'></p>", "<svg xmlns='http://www.w3.org/2000/svg'/>"]
)
def test_what_is_no_figure_is_refused(text):
    with pytest.raises(ValueError, match="figure is not"):
        inline(text, prefix="p", label="l")
