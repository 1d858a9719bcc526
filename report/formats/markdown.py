"""The record as Markdown for a pull request: tables in the GitHub dialect, nothing from a file is markup."""

import re

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
from report.plaintext import one_line, sentence

#: Characters that open or close markup anywhere on a line.
_MARKUP = re.compile(r"([\\`*_\[\]<>|~&$])")
#: What makes a block when it opens a line or a list item: headings, lists, rules, quotes, numbered items.
_OPENING = re.compile(r"^([#+\-=]+)(?=\s|$)|^([-=]{2,})|^(\d{1,9})([.)])(?=\s|$)")
#: What forges turn into a link or a picture after the Markdown is read, so that a backslash cannot stop it:
#: mentions and addresses, references to issues, web addresses, commit names, emoji names.
_AUTOMATIC = (
    re.compile(r"(@)(?=[\w(])"),
    re.compile(r"(#)(?=\d)"),
    re.compile(r"\b(GH-)(?=\d)", re.IGNORECASE),
    re.compile(r"(\w:)(?=//)"),
    re.compile(r"\b(mailto:|xmpp:)", re.IGNORECASE),
    re.compile(r"\b(www)(?=\.)", re.IGNORECASE),
    re.compile(r"(:)(?=[\w+-]+:)"),
)
_COMMIT = re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b", re.IGNORECASE)
#: Zero-width space: unseen, and enough to keep the parts of a link apart.
_APART = "\u200b"


def escaped(text: str) -> str:
    """``text`` as it should read, with no markup, link, image, mention, reference or emoji left in it."""
    line = one_line(text)
    for pattern in _AUTOMATIC:
        line = pattern.sub(lambda found: found.group(1) + _APART, line)
    line = _COMMIT.sub(lambda found: _APART.join(re.findall(".{1,6}", found.group())), line)
    line = _MARKUP.sub(r"\\\1", line)
    return _OPENING.sub(_as_text, line)


def _as_text(found: re.Match[str]) -> str:
    marks = found.group(1) or found.group(2)
    return "\\" + marks if marks else f"{found.group(3)}\\{found.group(4)}"


def code(text: str, *, in_table: bool = False) -> str:
    """``text`` in a code span that it cannot leave; in a table its pipes are escaped as the dialect wants."""
    line = one_line(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line.replace('|', chr(92) + '|') if in_table else line}{pad}{fence}"


def export_markdown(document: Document) -> bytes:
    """The document as UTF-8 Markdown."""
    parts = [
        f"# {escaped(document.title)}",
        f"Switchover · decision record {escaped(document.number)} · {escaped(document.standing)}",
        "\n".join(
            (
                f"> **{escaped(document.word)}**",
                ">",
                f"> **{escaped(document.sentence)}**",
                ">",
                f"> {escaped(document.explanation)}",
            )
        ),
        *map(_block, document.blocks),
        "\n".join(
            f"- {escaped(label)}: {escaped(text) or '____________________'}"
            for label, text in document.signatures
        ),
        f"Record {escaped(document.number)}, seal {code(document.seal)}",
    ]
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def _block(block: Block) -> str:
    match block:
        case Grid():
            return _grid(block)
        case Lines():
            return _lines(block)
        case Columns():
            return "\n\n".join(map(_lines, block.lists))
        case Picture():
            return _picture(block)
        case Labelled():
            return "\n\n".join(f"**{escaped(label)}:** {escaped(text)}" for label, text in block.items)
        case Commands():
            return _commands(block)


def _grid(grid: Grid) -> str:
    lines = [
        "| " + " | ".join(escaped(head.label) for head in grid.heads) + " |",
        "|" + "|".join("--:" if head.numeric else ":--" for head in grid.heads) + "|",
        *map(_row, grid.rows),
    ]
    note = f"\n\n{escaped(grid.note)}" if grid.note else ""
    return f"## {escaped(grid.title)}\n\n" + "\n".join(lines) + note


def _row(row: Row) -> str:
    texts = [_cell(cell) for cell in row.cells]
    if row.strong:
        texts = [f"**{text}**" if text else "" for text in texts]
    return "| " + " | ".join(texts) + " |"


def _cell(cell: Cell) -> str:
    if cell.code:
        return code(cell.text, in_table=True)
    text = escaped(cell.text)
    if not cell.note:
        return text
    return (
        f"{text} {escaped(sentence(cell.note))}" if text.endswith(".") else f"{text} ({escaped(cell.note)})"
    )


def _lines(lines: Lines) -> str:
    listed = "\n".join(f"- {escaped(item)}" for item in lines.items) or escaped(lines.empty)
    return f"## {escaped(lines.title)}\n\n{listed}"


def _picture(picture: Picture) -> str:
    title = one_line(picture.forest.title)
    said = one_line(picture.forest.takeaway).removeprefix(title).lstrip(". ")
    return f"## {escaped(title)}\n\n{escaped(said or picture.forest.subtitle)}"


def _commands(block: Commands) -> str:
    sentences = "\n\n".join(map(escaped, block.sentences))
    commands = "\n".join(f"- {code(text)}" for text in block.commands)
    return f"## {escaped(block.title)}\n\n{sentences}\n\nAsked with:\n\n{commands}"
