"""What surrounds every screen: style, logo, theme, and the boundary that turns errors into words."""

import contextlib
import logging
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import streamlit as st

from answers.base import Headline
from data.errors import InputError, StoreHeldError
from ui import components, navigation, show
from ui.messages import without_flags

LOGGER = logging.getLogger(__name__)
HERE = Path(__file__).resolve().parent
ASSETS = HERE / "assets"

#: Streamlit does not rerun when the theme changes, so figures would keep the colours of the other one.
_WATCH = st.components.v2.component(
    "theme_watch",
    html="<span></span>",
    js="""export default function({setTriggerValue}) {
  const app = document.querySelector('[data-testid=stApp]');
  let scheme = getComputedStyle(app).colorScheme;
  const timer = setInterval(() => {
    const now = getComputedStyle(app).colorScheme;
    if (now !== scheme) { scheme = now; setTriggerValue('changed', now); }
  }, 400);
  return () => clearInterval(timer);
}""",
)


def mode() -> Literal["light", "dark"]:
    """The theme figures are drawn for."""
    return "dark" if st.context.theme.type == "dark" else "light"


def open_frame() -> None:
    """Style and logo; called once by ``app.py`` before anything else is drawn."""
    st.html(f"<style>{_style()}</style>")
    st.logo(ASSETS / f"wordmark_{mode()}.png", size="medium", icon_image=navigation.ICON)


@st.cache_data(show_spinner=False)
def _style() -> str:
    # The browser-side sanitiser drops a style sheet that holds anything like a tag, as the comments do.
    return re.sub(r"/\*.*?\*/", "", (HERE / "style.css").read_text(encoding="utf-8"), flags=re.DOTALL)


def watch_theme() -> None:
    """Rerun when the person changes the theme; called once at the end of ``app.py``."""
    _WATCH(key="theme_watch", on_changed_change=lambda: None)


@contextlib.contextmanager
def boundary() -> Iterator[None]:
    """Show what went wrong and what to do in place of the rest of the page."""
    try:
        yield
    except StoreHeldError as error:
        held(error)
    except InputError as error:
        problem(without_flags(str(error)))
    except Exception:  # the last resort of every page: words instead of a traceback, which goes to the log
        LOGGER.exception("a page failed")
        problem(
            "This page stopped on a fault of the program.",
            "Your data are unchanged. Reload the page; if it happens again, send the detail below with the "
            "file that caused it.",
            detail=traceback.format_exc(),
        )


def held(error: StoreHeldError) -> None:
    """The card of a store that another process holds."""
    who = f"process {error.pid}" if error.pid else "another process"
    problem(
        f"The store is held by {who}.",
        "Stop that process, or use the dashboard it already serves; then try again. Files you import "
        "meanwhile with the command line wait in the inbox.",
        detail=str(error),
        word="Held elsewhere",
    )
    st.button("Try again", icon=":material/restart_alt:", key="try_again")


def problem(sentence: str, explanation: str = "", *, detail: str = "", word: str = "Not possible") -> None:
    """A bad card: what happened, what to do, and the detail folded away."""
    headline = Headline(status="bad", word=word, sentence=sentence, explanation=explanation, facts=())
    show.html(components.verdict(headline, label="Problem"))
    if detail:
        with st.expander("Detail", icon=":material/notes:"):
            st.code(detail, language=None, wrap_lines=True)
