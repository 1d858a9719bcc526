"""The record as one stand-alone HTML file: no script, no request, figures inline, made for A4."""

from html import escape

from analysis.results import Status
from charts import forest
from report.formats.style import style_sheet
from report.formats.svg import inline
from report.layout import (
    Block,
    Cell,
    Columns,
    Commands,
    Document,
    Grid,
    Labelled,
    Lines,
    Picture,
    Row,
)

#: Rows up to which a table is kept on one page.
_SHORT = 26

#: Strokes on a 24 by 24 ground; each is told apart by its outline alone, so it reads in black and white.
_ICONS: dict[Status, str] = {
    "good": '<circle cx="12" cy="12" r="9.5"/><path d="m7.5 12.4 3.1 3.1 6-6.6"/>',
    "caution": '<path d="M12 3 22 20.5H2Z"/><path d="M12 9.5v5M12 17.6v.1"/>',
    "bad": '<circle cx="12" cy="12" r="9.5"/><path d="m8.4 8.4 7.2 7.2M15.6 8.4l-7.2 7.2"/>',
    "undecided": (
        '<path d="M12 3v17M7 20.5h10M4.5 6.5h15"/><path d="M4.5 7 1.8 13.5a2.9 2.9 0 0 0 5.4 0Z"/>'
        '<path d="m19.5 7-2.7 6.5a2.9 2.9 0 0 0 5.4 0Z"/>'
    ),
    "unknown": (
        '<circle cx="12" cy="12" r="9.5" stroke-dasharray="3 2.4"/>'
        '<path d="M9.3 9.4a2.8 2.8 0 1 1 3.9 2.6c-.8.4-1.2.9-1.2 1.8M12 17v.1"/>'
    ),
}
#: Nothing may load or run, whatever a text from a file tries.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def export_html(document: Document) -> bytes:
    """The page as UTF-8. Every text is escaped; nothing from a file reaches an attribute unquoted."""
    body = "\n".join(
        (
            _head(document),
            _box(document),
            *(_block(block, index) for index, block in enumerate(document.blocks)),
            _foot(document),
        )
    )
    title = f"{escape(document.title)} · decision record {escape(document.number)}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style_sheet(document.number)}</style>\n"
        f"</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    ).encode()


def _head(document: Document) -> str:
    return (
        f'<div class="head"><span>Switchover · decision record {escape(document.number)}</span>'
        f"<span>{escape(document.standing)}</span></div>\n<h1>{escape(document.title)}</h1>"
    )


def _icon(status: Status) -> str:
    return f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{_ICONS[status]}</svg>'


def _box(document: Document) -> str:
    return (
        f'<section class="box {document.status}" aria-label="Verdict">'
        f'<p class="word">{_icon(document.status)}{escape(document.word)}</p>'
        f'<p class="say">{escape(document.sentence)}</p>'
        f"<p>{escape(document.explanation)}</p></section>"
    )


def _block(block: Block, index: int) -> str:
    match block:
        case Grid():
            return _grid(block)
        case Lines():
            return _lines(block)
        case Columns():
            lists = "".join(f"<div>{_lines(lines)}</div>" for lines in block.lists)
            return f'<div class="lists">{lists}</div>'
        case Picture():
            return _picture(block, index)
        case Labelled():
            said = " ".join(
                f"<strong>{escape(label)}:</strong> {escape(text)}" for label, text in block.items
            )
            return f'<p class="run">{said}</p>'
        case Commands():
            return _commands(block)


def _grid(grid: Grid) -> str:
    heads = "".join(
        f'<th scope="col"{_numeric(head.numeric)}>{escape(head.label)}</th>' for head in grid.heads
    )
    rows = "\n".join(_row(row, grid) for row in grid.rows)
    kept = "short" if len(grid.rows) <= _SHORT else "long"
    title = escape(grid.title)
    note = f'\n<p class="note">{escape(grid.note)}</p>' if grid.note else ""
    return (
        f'<h2>{title}</h2>\n<div class="wide" role="region" aria-label="{title}" tabindex="0">'
        f'<table class="{kept}"><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>'
        f"</table></div>{note}"
    )


def _numeric(numeric: bool) -> str:
    return ' class="n"' if numeric else ""


def _row(row: Row, grid: Grid) -> str:
    first, *others = row.cells
    cells = "".join(
        f"<td{_numeric(head.numeric)}>{_cell(cell)}</td>"
        for cell, head in zip(others, grid.heads[1:], strict=True)
    )
    kind = ' class="strong"' if row.strong else ""
    fit = ' class="fit"' if first.status is not None else ""
    return f'<tr{kind}><th scope="row"{fit}>{_cell(first)}</th>{cells}</tr>'


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.code:
        text = f"<code>{text}</code>"
    if cell.status is not None:
        text = f'<span class="state {cell.status}">{_icon(cell.status)}{text}</span>'
    return f"{text}<small>{escape(cell.note)}</small>" if cell.note else text


def _lines(lines: Lines) -> str:
    items = "".join(f"<li>{escape(item)}</li>" for item in lines.items)
    listed = f"<ul>{items}</ul>" if items else f'<p class="none">{escape(lines.empty)}</p>'
    return f"<h2>{escape(lines.title)}</h2>\n{listed}"


def _picture(picture: Picture, index: int) -> str:
    drawn = picture.forest
    svg = inline(forest.paper(drawn), prefix=f"f{index}_", label=drawn.takeaway or drawn.title)
    return (
        f"<h2>{escape(drawn.title)}</h2>\n<figure><figcaption>{escape(drawn.subtitle)}</figcaption>\n"
        f"{svg}</figure>"
    )


def _commands(block: Commands) -> str:
    sentences = "".join(f"<p>{escape(text)}</p>" for text in block.sentences)
    commands = "".join(f"<li><code>{_kept_words(text)}</code></li>" for text in block.commands)
    return (
        f'<section class="method"><h2>{escape(block.title)}</h2>\n{sentences}'
        f"<p>Asked with:</p><ul>{commands}</ul></section>"
    )


def _kept_words(command: str) -> str:
    """A command that breaks between its words only, never inside a flag."""
    return " ".join(f"<span>{escape(word)}</span>" for word in command.split(" "))


def _foot(document: Document) -> str:
    signed = "".join(
        f"<div><dt>{escape(label)}</dt><dd>{escape(text)}</dd></div>" for label, text in document.signatures
    )
    return (
        f'<dl class="signatures">{signed}</dl>\n'
        f"<footer>Record {escape(document.number)}, seal <code>{escape(document.seal)}</code></footer>"
    )
