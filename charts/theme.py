"""Colours, symbols and the base of every figure, written once; style sheet and TOML are tested against it.

Text reaches 5.5:1 on its ground and marks 3:1, which tests hold. The four verdict marks and the eight model
colours stay apart under simulated deuteranopia and protanopia.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from analysis.results import Status

Mode = Literal["light", "dark"]

SANS = '"Source Sans",sans-serif'
SERIF = '"Source Serif",serif'


@dataclass(frozen=True)
class Palette:
    """Neutrals and accent of one mode, as CSS colours."""

    background: str
    surface: str
    sidebar: str
    ink: str
    muted: str
    line: str  # table rules
    border: str  # edges of cards and inputs
    accent: str
    accent_text: str  # links
    accent_tint: str  # second member of a pair in one hue
    grey_mark: str  # third member, hatched
    other_model: str  # models beyond the eight slots
    reference: str = "#8993A0"
    grid: str = "rgba(128,138,152,.24)"


PALETTES: Mapping[Mode, Palette] = {
    "light": Palette(
        background="#FFFFFF",
        surface="#F4F6F8",
        sidebar="#F4F6F8",
        ink="#1B2430",
        muted="#56606F",
        line="#E2E6EB",
        border="#D3D9E1",
        accent="#3F4BC4",
        accent_text="#3F4BC4",
        accent_tint="#7C8ADF",
        grey_mark="#8793A3",
        other_model="#6A7482",
    ),
    "dark": Palette(
        background="#12161C",
        surface="#1B212A",
        sidebar="#0D1015",
        ink="#E6EAF0",
        muted="#A5B0BF",
        line="#2A323D",
        border="#343E4B",
        accent="#8F9DFF",
        accent_text="#AAB6FF",
        accent_tint="#5764C9",
        grey_mark="#6B7686",
        other_model="#8793A3",
    ),
}


@dataclass(frozen=True)
class VerdictColours:
    """Colours of one status in one mode; they mean verdicts and nothing else."""

    text: str
    mark: str
    ground: str


VERDICTS: Mapping[Mode, Mapping[Status, VerdictColours]] = {
    "light": {
        "good": VerdictColours("#006B58", "#00806A", "#E7F5F1"),
        "caution": VerdictColours("#7F5300", "#A16A00", "#FCF3DF"),
        "bad": VerdictColours("#9E0E2B", "#B01030", "#FBEBEE"),
        "undecided": VerdictColours("#414B6B", "#414B6B", "#EDEFF6"),
        "unknown": VerdictColours("#56606F", "#6A7482", "#F4F6F8"),
    },
    "dark": {
        "good": VerdictColours("#6FE3C6", "#57D9B8", "#10302A"),
        "caution": VerdictColours("#F5C566", "#F2B84B", "#32270F"),
        "bad": VerdictColours("#FF8FA4", "#F26B85", "#3A1821"),
        "undecided": VerdictColours("#B9C3E4", "#A9B4DA", "#21273A"),
        "unknown": VerdictColours("#A5B0BF", "#8793A3", "#1B212A"),
    },
}


@dataclass(frozen=True)
class VerdictSign:
    """What stands beside a verdict's colour: a Material icon, and the word where a page has none."""

    icon: str
    word: str


VERDICT: Mapping[Status, VerdictSign] = {
    "good": VerdictSign("check_circle", "Good"),
    "caution": VerdictSign("warning", "Caution"),
    "bad": VerdictSign("cancel", "Problem"),
    "undecided": VerdictSign("balance", "Undecided"),
    "unknown": VerdictSign("help", "Unknown"),
}

MODEL_COLOURS: Mapping[Mode, tuple[str, ...]] = {
    "light": ("#2446BE", "#DD7A10", "#14807B", "#850477", "#746000", "#974EFF", "#389CD0", "#4D3826"),
    "dark": ("#6780F0", "#E89E23", "#3BD19C", "#DA609D", "#DAD94F", "#C3A5FF", "#A1E4FE", "#A87C46"),
}
MODEL_SYMBOLS = ("circle", "diamond", "square", "star", "cross", "hexagon", "triangle-up", "x")
OTHER_SYMBOL = "circle-open"

SEQUENTIAL: Mapping[Mode, tuple[str, ...]] = {
    "light": (
        *("#EEF1FB", "#DCE1F7", "#C3CBF1", "#A7B2EA", "#8A97E2"),
        *("#6E7BD8", "#5562CD", "#3F4BC4", "#2F399F", "#20286F"),
    ),
    "dark": (
        *("#1B2036", "#252C55", "#303A78", "#3D499C", "#4D5ABD"),
        *("#626FD6", "#7B88E8", "#96A2F3", "#B5BEFA", "#D8DDFD"),
    ),
}
#: Bad to good, centred at zero.
DIVERGING: Mapping[Mode, tuple[str, ...]] = {
    "light": (
        *("#8F0D28", "#B8384F", "#D56F80", "#EBAAB4", "#F6DEE2"),
        *("#DCEFEA", "#A3D5C8", "#5FB3A0", "#1F8E78", "#00604F"),
    ),
    "dark": (
        *("#FF9DAF", "#E86A83", "#B8475E", "#7D3040", "#43242D"),
        *("#1E3B36", "#256B5D", "#2F9A85", "#57D0B4", "#A4F0DC"),
    ),
}


@dataclass(frozen=True)
class ModelStyle:
    """Colour and Plotly symbol of one model; the symbol doubles the colour."""

    colour: str
    symbol: str


def model_styles(models: Iterable[str], mode: Mode, favoured: Iterable[str] = ()) -> Mapping[str, ModelStyle]:
    """Colour and symbol of every model, by its place in the sorted list of canonical names.

    Beyond eight models the first eight of ``favoured`` (baseline, candidate, then the best) are coloured and
    the rest are grey rings: the list is never cycled.
    """
    names = sorted(set(models))
    slots = len(MODEL_SYMBOLS)
    coloured = names
    if len(names) > slots:
        wanted = [name for name in dict.fromkeys(favoured) if name in set(names)]
        coloured = sorted(wanted[:slots])
    styles = dict.fromkeys(names, ModelStyle(PALETTES[mode].other_model, OTHER_SYMBOL))
    styles.update(
        (name, ModelStyle(colour, symbol))
        for name, colour, symbol in zip(coloured, MODEL_COLOURS[mode], MODEL_SYMBOLS, strict=False)
    )
    return styles


def model_style(
    model: str, all_models: Iterable[str], mode: Mode, favoured: Iterable[str] = ()
) -> ModelStyle:
    """Colour and symbol of one of ``all_models`` (see :func:`model_styles`).

    Raises:
        KeyError: ``model`` is not among ``all_models``.
    """
    return model_styles(all_models, mode, favoured)[model]


def base_layout(mode: Mode, height: int) -> dict[str, Any]:
    """The layout every Plotly figure starts from; ``height`` in pixels."""
    palette = PALETTES[mode]
    return {
        "height": height,
        "margin": {"l": 4, "r": 8, "t": 18, "b": 4},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "bargap": 0.38,
        "font": {"family": SANS, "size": 14, "color": palette.ink},
        "hoverlabel": {
            "bgcolor": palette.background if mode == "light" else palette.surface,
            "bordercolor": palette.border,
            "font": {"family": SANS, "size": 13, "color": palette.ink},
            "align": "left",
        },
    }


def base_axis(mode: Mode) -> dict[str, Any]:
    """The axis every Plotly figure starts from; its invisible ticks keep labels off the plot."""
    palette = PALETTES[mode]
    return {
        "gridcolor": palette.grid,
        "zeroline": False,
        "showline": False,
        "ticks": "outside",
        "ticklen": 6,
        "tickcolor": "rgba(0,0,0,0)",
        "tickfont": {"size": 13, "color": palette.muted},
        "title": {"font": {"size": 13, "color": palette.muted}, "standoff": 8},
        "automargin": True,
        "fixedrange": True,
    }
