"""The screens of the dashboard, in one list, and the guard every screen calls first."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[1]
#: The window's icon, a file of this project.
ICON = ROOT / "ui" / "assets" / "icon.png"
#: Set in a session once ``app.py`` has drawn the frame around a screen.
FRAMED = "framed"


@dataclass(frozen=True)
class Screen:
    """A page of the navigation. ``slug`` is its address and the name of its file."""

    slug: str
    title: str
    section: str
    icon: str
    help: str

    @property
    def path(self) -> Path:
        """The page's file."""
        return ROOT / "pages" / f"{self.slug}.py"


SCREENS = (
    Screen("overview", "Overview", "Start", "home", "What is loaded, what it answers and what comes next."),
    Screen("data", "Data", "Start", "database", "Upload files, check what was recognised, import and undo."),
    Screen(
        "leaderboard",
        "Leaderboard",
        "Quality",
        "leaderboard",
        "Which model solves more tasks, and which differences the data can show.",
    ),
    Screen(
        "decision", "Decision", "Decide", "gavel", "Pinned evidence, the choice made on it, and its document."
    ),
)


def pages() -> dict[str, list[st.Page]]:
    """The pages by section, in the order of the sidebar; the first one answers at ``/``."""
    sections: dict[str, list[st.Page]] = {}
    for screen in SCREENS:
        sections.setdefault(screen.section, []).append(page(screen.slug))
    return sections


def page(slug: str) -> st.Page:
    """One page, as links and the navigation want it.

    Raises:
        KeyError: no screen has this slug.
    """
    screen = {screen.slug: screen for screen in SCREENS}[slug]
    return st.Page(
        screen.path,
        title=screen.title,
        icon=f":material/{screen.icon}:",
        url_path=screen.slug,
        default=screen is SCREENS[0],
        help=screen.help,
    )


def guard() -> None:
    """Send a page that was started without its frame through ``app.py``; every page calls this first.

    A process whose first request is a deep link runs the page's file alone. Naming the pages once ends that
    mode for the whole process, and the rerun goes through ``app.py``. It cannot loop: from then on this file
    is only reached from ``app.py``, which has set the mark.
    """
    if not st.session_state.get(FRAMED):
        # Without an icon of its own the frame would take the page's, and fetch it from elsewhere.
        st.set_page_config(page_icon=ICON)
        st.navigation(pages(), position="hidden")
        st.rerun()
