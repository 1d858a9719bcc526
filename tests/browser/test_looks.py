"""Every page and state is drawn, kept as a picture, and free of serious findings of axe; the rest is for eyes."""

import json

import pytest

from tests.browser.conftest import idle, shot
from tests.browser.test_flows import drop, goto, press
from ui.navigation import SCREENS

#: Streamlit's sectioned navigation breaks two list rules of its own; nothing else is excused.
EXCUSED = {"exclude": [["[data-testid=stSidebarNavItems]"]]}
SEVERE = ("serious", "critical")


def accessible(page, name):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, context=EXCUSED).response["violations"]
    severe = [
        (one["id"], one["help"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in SEVERE
    ]
    assert not severe, f"{name}: {json.dumps(severe, indent=1)}"


def look(open_page, server, path, name, *, phone=True):
    """Draw one address in light, dark and on a phone."""
    for mode in ("light", "dark"):
        page = goto(open_page(mode=mode), server, path)
        settle(page)
        accessible(page, f"{name} {mode}")
        shot(page, f"{name}_{mode}")
        page.context.close()
    if phone:
        page = goto(open_page(width=390, height=844), server, path)
        settle(page)
        shot(page, f"{name}_phone")
        width = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert width <= 390, f"{name} is {width} px wide on a phone"
        page.context.close()


def settle(page):
    """Wait for figures, which are drawn after the script is done."""
    idle(page)
    page.wait_for_timeout(700)
    idle(page)


def rows(models, tasks=30):
    """A CSV of results: for each model how many of its tasks are solved."""
    lines = ["benchmark,task_id,model,passed"]
    lines += [
        f"edge,task-{task:02d},{model},{int(task < solved)}"
        for model, solved in models.items()
        for task in range(tasks)
    ]
    return "\n".join(lines) + "\n"


def test_every_page_when_nothing_is_loaded(server, open_page):
    for screen in SCREENS:
        path = "" if screen is SCREENS[0] else screen.slug
        look(open_page, server, path, f"empty_{screen.slug}", phone=screen.slug == "leaderboard")


def test_every_page_with_the_sample(server, open_page):
    page = goto(open_page(), server, "leaderboard")
    press(page, "Load sample data")
    press(page, "Pin to decision")
    page.get_by_role("button", name="Pinned").wait_for()
    page.goto(f"{server.url}/decision")
    page.get_by_role("textbox", name="Decision in words").fill("Use Borealis L")
    press(page, "Save record")
    page.context.close()
    for screen in SCREENS:
        look(open_page, server, "" if screen is SCREENS[0] else screen.slug, screen.slug)


@pytest.mark.parametrize(
    ("name", "models"),
    [
        ("one_model", {"Aster 5": 20}),
        ("all_pass", {"Aster 5": 30, "Aster 4": 30}),
        ("all_fail", {"Aster 5": 0, "Aster 4": 0}),
    ],
)
def test_the_leaderboard_at_its_edges(server, open_page, tmp_path, name, models):
    file = tmp_path / "edge.csv"
    file.write_text(rows(models))
    page = goto(open_page(), server, "data")
    drop(page, file)
    press(page, f"Import {30 * len(models)} rows")
    page.get_by_role("button", name="Open Leaderboard").wait_for()
    page.context.close()
    look(open_page, server, "leaderboard", name, phone=False)


def test_the_wizard_with_a_good_and_a_bad_file(server, open_page, tmp_path):
    good, bad = tmp_path / "runs.csv", tmp_path / "photo.png"
    good.write_text(
        rows({"Aster 5": 20, "Aster 4": 11}).replace("task-03,Aster 5,1", "task-03,Aster 5,maybe")
    )
    bad.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(300))
    for name, file in (("wizard", good), ("bad_file", bad)):
        for mode in ("light", "dark"):
            page = goto(open_page(mode=mode), server, "data")
            drop(page, file)
            settle(page)
            shot(page, f"{name}_{mode}")
            accessible(page, f"{name} {mode}")
            page.context.close()


def test_many_models_stay_readable(server, open_page, shared_data):
    file = shared_data("swebench_bash_only", "per_instance_long.csv")
    page = goto(open_page(), server, "data")
    drop(page, file)
    press(page, "Import 12,500 rows")
    page.get_by_role("button", name="Open Leaderboard").wait_for()
    page.context.close()
    look(open_page, server, "leaderboard", "many_models")
