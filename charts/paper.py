"""A page to draw on in CSS pixels, which leaves as the text of one SVG element, byte-identical between runs.

Drawn with matplotlib's figure and SVG canvas as objects: no pyplot, no state shared between figures. Letters
are outlines of Source Sans, the face of the screen, so a document needs no font.
"""

import functools
import html
import io
import re
import threading
from pathlib import Path
from typing import Any, Literal

import font_source_sans_pro  # type: ignore[import-untyped] # it has no types; only its folder is used
import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, get_font
from matplotlib.ft2font import LoadFlags
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from charts.text import plain

Weight = Literal["Regular", "Semibold"]
Anchor = Literal["left", "center", "right"]

WIDTH = 704  # CSS pixels of a document's column
_POINTS_PER_INCH = 72  # one point is drawn as one pixel
_FACES = Path(font_source_sans_pro.__file__).parent / "files"
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "path",
    "text.parse_math": False,
    "text.usetex": False,
    "path.simplify": False,
}
#: The settings are matplotlib's one global; they are held while a figure is written.
_WRITING = threading.Lock()


@functools.cache
def _face(weight: Weight) -> Path:
    return _FACES / f"SourceSansPro-{weight}.ttf"


def drawable(text: str) -> str:
    """``text`` on one line with a question mark for every character that the face has no glyph for."""
    font = get_font(_face("Regular"))
    return "".join(c if font.get_char_index(ord(c)) else "?" for c in plain(text))


class Page:
    """One figure of ``width`` by ``height`` CSS pixels; y grows downwards, as in SVG."""

    def __init__(self, height: float, width: float = WIDTH) -> None:
        self._width, self._height = width, height
        self._figure = Figure(
            figsize=(width / _POINTS_PER_INCH, height / _POINTS_PER_INCH), dpi=_POINTS_PER_INCH
        )
        self._figure.patch.set_visible(False)
        self._axes = self._figure.add_axes((0, 0, 1, 1), frameon=False)
        self._axes.set_axis_off()
        self._axes.set_xlim(0, width)
        self._axes.set_ylim(height, 0)

    def line(
        self,
        points: list[tuple[float, float]],
        colour: str,
        width: float = 1.0,
        *,
        dotted: bool = False,
    ) -> None:
        """A line through ``points``."""
        xs, ys = zip(*points, strict=True)
        stroke = Line2D(xs, ys, color=colour, linewidth=width, solid_capstyle="butt", clip_on=False)
        if dotted:
            stroke.set_linestyle((0, (1, 2)))
        self._axes.add_line(stroke)

    def rectangle(self, left: float, top: float, width: float, height: float, colour: str) -> None:
        """A filled rectangle without an edge."""
        patch = Rectangle((left, top), width, height, facecolor=colour, edgecolor="none", clip_on=False)
        self._axes.add_patch(patch)

    def dot(self, x: float, y: float, colour: str, diameter: float) -> None:
        """A filled disc."""
        disc = Line2D(
            [x], [y], marker="o", markersize=diameter, color=colour, linestyle="none", clip_on=False
        )
        disc.set_markeredgewidth(0)
        self._axes.add_line(disc)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str,
        size: float = 13,
        *,
        anchor: Anchor = "left",
        weight: Weight = "Regular",
    ) -> None:
        """One line of text whose small letters are centred on ``y``; markup and formulas are not read."""
        font = FontProperties(fname=_face(weight), size=size)
        self._axes.text(
            x,
            y + size * 0.34,
            drawable(text),
            color=colour,
            fontproperties=font,
            horizontalalignment=anchor,
            verticalalignment="baseline",
            parse_math=False,
        )

    def svg(self, name: str, takeaway: str) -> str:
        """The ``<svg>`` element, as wide as its container; ``name`` sets its ids apart from other figures."""
        written = io.StringIO()
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "figure"
        with _WRITING, mpl.rc_context({**_SETTINGS, "svg.hashsalt": f"switchover-{slug}"}):
            canvas: Any = FigureCanvasSVG(self._figure)  # its writer has no types
            canvas.print_svg(written, metadata={"Date": None, "Creator": None})
        return _element(written.getvalue(), slug, takeaway, self._width, self._height)


def text_width(text: str, size: float = 13, weight: Weight = "Regular") -> float:
    """Width of one line of text in CSS pixels, kerning aside."""
    font = get_font(_face(weight))
    font.set_size(size, _POINTS_PER_INCH)
    advances = (font.load_char(ord(c), LoadFlags.NO_HINTING).linearHoriAdvance for c in drawable(text))
    return sum(advances) / 65536  # FreeType's 16.16 fixed point


def _element(written: str, slug: str, takeaway: str, width: float, height: float) -> str:
    """The drawing without prolog, metadata, page-wide style and idle ids; other ids get ``slug``."""
    body = written[written.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", "", body, flags=re.DOTALL)
    used = dict.fromkeys(re.findall(r'(?:href="#|url\(#)([^")]+)', body))
    short = {name: f"{slug}-{number}" for number, name in enumerate(used)}
    body = re.sub(r' id="([^"]+)"', lambda m: f' id="{short[m[1]]}"' if m[1] in short else "", body)
    body = re.sub(r'(href="#|url\(#)([^")]+)', lambda m: m[1] + short[m[2]], body)
    body = re.sub(r"\s*\n\s*", " ", re.sub(r">\s+<", "><", body)).replace(' "/>', '"/>')
    body = re.sub(r"<defs>\s*</defs>", "", body)
    opening = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width:g} {height:g}" width="100%" stroke-linejoin="round" '
        f'role="img" aria-label="{html.escape(plain(takeaway))}">'
    )
    return opening + body[body.index(">") + 1 :].rstrip()
