"""The stand-alone page as a reader opens it: scripts off, no request, readable to a machine and on A4."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from made_boards import board_answer, made_record
from playwright.sync_api import sync_playwright
from test_formats import hostile_record

from report.formats import export

pytestmark = pytest.mark.browser
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
LONG = tuple(
    f"A model with quite a long name, reasoning high, number {place} (20251101)" for place in range(25)
)
COSTS = [None if place % 3 else 0.004 * place for place in range(25)]
RECORDS = {
    "usual": lambda: made_record(board_answer(leading=1), choice="Aster 4", watch=("Errors above 2%",)),
    "many": lambda: made_record(
        board_answer(names=LONG, means=[0.8 - 0.02 * n for n in range(25)], costs=COSTS)
    ),
    "one": lambda: made_record(board_answer(names=("Solo",))),
    "unknown": lambda: made_record(board_answer(means=[0.6, *[None] * 5], costs=[None] * 6)),
    "no figure": lambda: made_record(board_answer(figures=False, findings=()), stale=(0,)),
    "hostile": hostile_record,
}


@pytest.fixture(scope="module")
def browser(chromium_path):
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(params=list(RECORDS))
def page_file(request, tmp_path):
    path = tmp_path / "decision.html"
    path.write_bytes(export(RECORDS[request.param](), "html"))
    return path


def test_the_page_is_quiet_light_and_a4(browser, page_file):
    said, asked = [], []
    page = browser.new_page(viewport={"width": 812, "height": 900}, color_scheme="dark")
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    widths = []
    for width in (812, 390):
        page.set_viewport_size({"width": width, "height": 900})
        widths.append(page.evaluate("document.documentElement.scrollWidth"))
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    page.close()
    assert (said, asked) == ([], [page_file.as_uri()])
    assert ground == "rgb(255, 255, 255)"
    assert widths == [812, 390]
    boxes = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert {(round(float(w)), round(float(h))) for w, h in boxes} == {(595, 842)}
    assert 1 <= len(boxes) <= 6


def test_axe_finds_nothing(browser, page_file):
    context = browser.new_context(bypass_csp=True)  # axe itself is a script
    page = context.new_page()
    page.goto(page_file.as_uri())
    found = Axe().run(page).response["violations"]
    context.close()
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found] == []


def test_it_reads_without_scripts(browser, tmp_path):
    path = tmp_path / "decision.html"
    path.write_bytes(export(RECORDS["usual"](), "html"))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    text = page.locator("main").inner_text()
    context.close()
    for told in (
        "decision record 2026-014",
        "What the evidence says",
        "Where the numbers come from",
        "Decided by",
    ):
        assert told in text
