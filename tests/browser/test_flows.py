"""Whole ways through the dashboard, in a real browser against a real server."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest

from tests.browser.conftest import ROOT, idle


def goto(page, server, path=""):
    page.goto(f"{server.url}/{path}")
    page.wait_for_selector("[data-testid=stMainBlockContainer]")
    idle(page)
    return page


def press(page, name, exact=False):
    page.get_by_role("button", name=name, exact=exact).first.click()
    idle(page)


def drop(page, *files):
    page.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(list(files))
    page.wait_for_timeout(800)
    idle(page)


def follow(page, name):
    """A page of the sidebar."""
    page.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()
    page.wait_for_timeout(300)
    idle(page)


def verdict(page):
    return page.get_by_role("region", name="Verdict")


def content(download):
    return download.path().read_bytes()


def save(page, label):
    with page.expect_download() as saved:
        page.get_by_role("button", name=f"Download {label}").first.click()
    return content(saved.value)


def test_from_the_sample_to_an_exported_verdict(server, open_page):
    page = goto(open_page(), server)
    press(page, "Load sample data")
    page.get_by_role("link", name="Open Leaderboard").first.click()
    idle(page)
    assert verdict(page).is_visible()
    press(page, "Pin to decision")
    page.get_by_text("Pinned. The Decision page has it.").wait_for()
    page.get_by_role("button", name="Pinned").wait_for()
    follow(page, "Decision")
    page.get_by_role("textbox", name="Reasons").fill(
        "Three models cannot be told apart; the cheapest of them will do."
    )
    page.get_by_role("textbox", name="Decided by").fill("Dana")
    page.get_by_role("textbox", name="Decision in words").fill("Use Borealis L")
    press(page, "Save record")
    html = save(page, "HTML").decode("utf-8")
    assert "Use Borealis L" in html
    assert "Dana" in html
    assert "<script" not in html
    assert b"Use Borealis L" in save(page, "Markdown")
    record = json.loads(save(page, "JSON"))
    assert record["choice"]["text"] == "Use Borealis L"
    assert len(list(csv.reader(io.StringIO(save(page, "CSV").decode("utf-8-sig"))))) > 5


def test_a_real_file_reaches_its_leaderboard_within_three_clicks_and_a_decision(
    server, open_page, shared_data
):
    file = shared_data("swebench_bash_only", "per_instance_long.csv")
    page = goto(open_page(), server, "data")
    drop(page, file)
    page.get_by_role("button", name="Import 12,500 rows").click()  # first click
    page.get_by_role("button", name="Open Leaderboard").click()  # second click
    page.wait_for_url(re.compile("leaderboard"))
    verdict(page).wait_for()
    idle(page)
    assert page.get_by_text("Claude 4.5 Opus medium (20251101)").first.is_visible()
    assert page.locator(".js-plotly-plot .main-svg").first.is_visible()
    press(page, "Pin to decision")
    follow(page, "Decision")
    page.get_by_role("textbox", name="Decision in words").fill(
        "Stay on the old model until 500 more tasks are run"
    )
    press(page, "Save record")
    assert b"Stay on the old model" in save(page, "Markdown")


@pytest.mark.parametrize("slug", ["leaderboard", "data", "decision"])
def test_a_deep_link_as_first_request_shows_its_page_in_its_frame(server, open_page, slug):
    page = goto(open_page(), server, slug)
    page.get_by_role("heading", level=1).wait_for()
    assert page.get_by_role("heading", level=1).inner_text() == slug.capitalize()
    links = page.get_by_test_id("stSidebarNavLink").all_inner_texts()
    assert [link.split("\n")[-1] for link in links] == ["Overview", "Data", "Leaderboard", "Decision"]
    assert page.get_by_role("dialog").count() == 0


def test_filters_and_settings_stand_in_the_address_and_come_back_from_it(server, open_page):
    page = goto(open_page(), server, "leaderboard")
    press(page, "Load sample data")
    page.get_by_role("button", name="Dune mini").first.click()
    idle(page)
    page.get_by_role("spinbutton", name="Margin (points)").fill("5")
    page.get_by_role("spinbutton", name="Margin (points)").press("Enter")
    page.wait_for_url(re.compile("margin=5"))
    idle(page)
    address = page.url
    assert "Dune+mini" not in address
    assert "models=" in address
    other = open_page()
    other.goto(address)
    verdict(other).wait_for()
    idle(other)
    assert other.get_by_role("spinbutton", name="Margin (points)").input_value() == "5.0"
    rows = other.locator("table.sw-matrix tbody th").all_inner_texts()
    assert "Dune mini" not in rows
    assert len(rows) == 4


def test_filters_hold_over_pages(server, open_page):
    page = goto(open_page(), server, "leaderboard")
    press(page, "Load sample data")
    page.get_by_role("button", name="Dune mini").first.click()
    idle(page)
    follow(page, "Decision")
    follow(page, "Leaderboard")
    assert "Dune mini" not in page.locator("table.sw-matrix tbody th").all_inner_texts()


def test_a_pressed_tile_opens_its_pair(server, open_page):
    page = goto(open_page(), server, "leaderboard")
    press(page, "Load sample data")
    page.locator("table.sw-matrix button", has_text="worse").first.click()
    idle(page)
    tile = page.locator("table.sw-matrix button[aria-pressed=true]")
    tile.first.wait_for()
    assert tile.count() == 2
    first, second = tile.first.get_attribute("data-row"), tile.first.get_attribute("data-column")
    shown = page.get_by_role("combobox", name="Pair in detail").input_value()
    assert {first, second} == set(shown.split(" against "))


def test_an_import_is_taken_back(server, open_page, tmp_path):
    file = tmp_path / "runs.csv"
    file.write_text("benchmark,task_id,model,passed\nb,t1,A,1\nb,t2,A,0\nb,t1,B,1\nb,t2,B,1\n")
    page = goto(open_page(), server, "data")
    drop(page, file)
    press(page, "Import 4 rows")
    page.get_by_text("4 rows loaded from runs.csv.").wait_for()
    press(page, "Undo", exact=True)
    page.get_by_text("0 files loaded").wait_for()
    follow(page, "Leaderboard")
    assert page.get_by_role("region", name="What this page needs").is_visible()


def test_a_bad_file_is_told_in_words(server, open_page, tmp_path):
    file = tmp_path / "photo.csv"
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(300))
    page = goto(open_page(), server, "data")
    drop(page, file)
    assert page.get_by_text("Not recognised").last.is_visible()
    assert page.get_by_text("is a PNG picture").first.is_visible()
    assert page.get_by_role("button", name="Import").first.is_disabled()
    assert page.get_by_test_id("stException").count() == 0


def test_the_mapping_table_can_be_edited(server, open_page, tmp_path):
    file = tmp_path / "runs.csv"
    file.write_text("benchmark,task_id,model,points,area\nb,t1,A,0.5,sql\nb,t2,A,1,web\n")
    page = goto(open_page(), server, "data")
    drop(page, file)
    grid = page.get_by_test_id("stDataFrame")
    box = grid.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.66, box["y"] + 35 * 5 + 18)  # fifth row, "Becomes"
    page.keyboard.press("Enter")
    page.keyboard.type("Domain")
    page.keyboard.press("Enter")
    idle(page)
    press(page, "Import 2 rows")
    page.get_by_text("2 rows loaded").wait_for()
    page.get_by_role("button", name="Open Leaderboard").click()
    page.wait_for_url(re.compile("leaderboard"))
    idle(page)
    assert verdict(page).is_visible()


def test_another_process_leaves_its_import_and_the_page_shows_it(server, open_page, tmp_path):
    page = goto(open_page(), server, "data")
    file = tmp_path / "queued.csv"
    file.write_text("benchmark,task_id,model,passed\nb,t1,A,1\nb,t2,A,0\n")
    ran = subprocess.run(
        [
            sys.executable,
            "cli.py",
            "--db",
            str(server.home / "switchover.duckdb"),
            "import",
            str(file),
            "--json",
        ],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["queued"] is True
    page.get_by_text("queued.csv: 2 rows loaded.").wait_for(timeout=30_000)
    page.get_by_text("1 file loaded").wait_for()


def test_another_theme_redraws_the_figure(server, open_page):
    page = goto(open_page(), server, "leaderboard")
    press(page, "Load sample data")
    mark = page.locator(".js-plotly-plot .scatterlayer .point").first
    mark.wait_for()
    before = mark.evaluate("mark => getComputedStyle(mark).fill")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "before => getComputedStyle(document.querySelector('.js-plotly-plot .scatterlayer .point')).fill !== before",
        arg=before,
    )
