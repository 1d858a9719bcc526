"""The pairwise matrix: every tile says a word, a difference and an interval, and opens its pair."""

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from analysis import wording
from analysis.figures import PairMatrix, PairTile
from ui.components import icon

#: Icon, word and colour of a tile. Within the margin is no verdict on the switch, so it has none's colour.
_TILES = {
    "better": ("arrow_upward", "better", "good"),
    "worse": ("arrow_downward", "worse", "bad"),
    "equivalent": ("unfold_less", "within margin", "unknown"),
    "undecided": ("balance", "undecided", "undecided"),
}

#: Streamlit's own HTML has no clicks; this shows ours and reports the tile that was pressed.
_CLICKABLE = st.components.v2.component(
    "pair_matrix",
    html='<div class="matrix"></div>',
    js="""export default function({data, parentElement, setTriggerValue}) {
  const root = parentElement.querySelector('.matrix');
  if (root.dataset.drawn !== data.html) { root.innerHTML = data.html; root.dataset.drawn = data.html; }
  root.onclick = event => {
    const tile = event.target.closest('button[data-row]');
    if (tile) setTriggerValue('pair', [tile.dataset.row, tile.dataset.column]);
  };
}""",
    css=""".sw table.sw-matrix td button { all: unset; display: block; box-sizing: border-box; width: 100%;
  min-height: 40px; padding: 2px; border-radius: 6px; cursor: pointer; color: var(--sw-ink); }
.sw table.sw-matrix td[class] { padding: 2px; }
.sw table.sw-matrix td button:hover { outline: 1px solid var(--sw-text); }
.sw table.sw-matrix td button:focus-visible { outline: 2px solid var(--sw-accent); }
.sw table.sw-matrix td button[aria-pressed=true] { outline: 2px solid var(--sw-text); }""",
    isolate_styles=False,
)


def matrix_html(matrix: PairMatrix, columns: Sequence[str], chosen: tuple[str, str] | None = None) -> str:
    """The matrix as a table of buttons, row minus column; ``columns`` limits what stands at the top."""
    tiles = {(tile.row, tile.column): tile for tile in matrix.tiles}
    rows = [row for row in matrix.labels if any((row, column) in tiles for column in columns)]
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(row)}</th>'
        + "".join(_tile(tiles.get((row, column)), chosen) for column in columns)
        + "</tr>"
        for row in rows
    )
    return (
        '<div class="sw"><div class="sw-scroll" tabindex="0" role="region" aria-label="Pairwise comparison">'
        f'<table class="sw-matrix" style="--columns:{len(columns)}"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div></div>"
    )


def _tile(tile: PairTile | None, chosen: tuple[str, str] | None) -> str:
    if tile is None:
        return "<td></td>"
    if tile.difference is None:
        sign, word, status, number, between = "help", "unknown", "unknown", "", "no shared task"
    else:
        sign, word, status = _TILES[tile.verdict]
        half = None if tile.low is None or tile.high is None else (tile.high - tile.low) / 2
        number = wording.points_number(tile.difference, half)
        between = wording.interval(tile.low, tile.high, "points", signed=True, half_width=half)
    pressed = "true" if chosen in ((tile.row, tile.column), (tile.column, tile.row)) else "false"
    label = f"{tile.row} against {tile.column}: {word} {number}, {between}"
    return (
        f'<td class="sw-{status}"><button type="button" aria-pressed="{pressed}" '
        f'aria-label="{escape(label)}" data-row="{escape(tile.row)}" data-column="{escape(tile.column)}">'
        f"<b>{icon(sign)}{escape(word)} {number}</b><span>{between}</span></button></td>"
    )


def pair_matrix(
    matrix: PairMatrix,
    columns: Sequence[str],
    chosen: tuple[str, str] | None,
    key: str,
    on_press: Callable[[str, str], None],
) -> None:
    """Draw the matrix; a pressed tile calls ``on_press(row, column)`` before the page runs again."""

    def pressed() -> None:
        pair = st.session_state[key].pair
        if pair:
            on_press(str(pair[0]), str(pair[1]))

    html = matrix_html(matrix, columns, chosen)
    _CLICKABLE(key=key, data={"html": html}, on_pair_change=pressed, height="content")
