"""A figure's SVG made part of a page: no prolog, its own names, a spoken label, and no byte too many."""

import re
from html import escape
from itertools import count
from xml.etree import ElementTree as ET

#: CSS pixels are kept to a hundredth; the eye sees a tenth.
_DECIMALS = 2
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_REFERENCE = re.compile(r"#([^)\"']+)")
#: What the drawing takes from its root.
_INHERITED = {"fill", "stroke", "stroke-linecap", "stroke-linejoin"}
_DROPPED = {"metadata", "title", "desc"}
#: Letters are outlined on a grid of a 64th of a point at 100 points; a quarter is a 30th of a pixel at 13.
_LETTER_GRID, _COARSER = "scale(0.015625)", 16


def inline(svg: str, *, prefix: str, label: str) -> str:
    """``svg`` ready to stand in HTML: scaled by its viewBox, its names short and its own, numbers rounded.

    ``prefix`` keeps the names of one figure apart from those of another. Links are dropped: a page for
    reading points nowhere.

    Raises:
        ValueError: the text is not one SVG element with a viewBox.
    """
    try:
        root = ET.fromstring(svg)  # noqa: S314 - drawn by charts in this process
    except ET.ParseError as error:
        raise ValueError(f"the figure is not SVG: {error}") from None
    box = root.get("viewBox")
    if _local(root.tag) != "svg" or box is None:
        raise ValueError("the figure is not an SVG element with a viewBox")
    names = _names(root, prefix)
    drawing = "".join(_write(child, names) for child in root)
    kept = "".join(f' {name}="{escape(value)}"' for name, value in root.attrib.items() if name in _INHERITED)
    return f'<svg viewBox="{escape(box)}"{kept} role="img" aria-label="{escape(label)}">{drawing}</svg>'


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _names(root: ET.Element, prefix: str) -> dict[str, str]:
    """A short name for every id that something refers to, in the order of the drawing."""
    used = {
        found
        for element in root.iter()
        for name, value in element.attrib.items()
        if name != "id"
        for found in _REFERENCE.findall(value)
    }
    numbers = count()
    return {
        element.attrib["id"]: prefix + _base36(next(numbers))
        for element in root.iter()
        if element.get("id") in used
    }


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return (_base36(number // 36) if number >= 36 else "") + digits[number % 36]


def _write(element: ET.Element, names: dict[str, str]) -> str:
    tag = _local(element.tag)
    if tag in _DROPPED:
        return ""
    inner = _text(element.text) + "".join(_write(child, names) + _text(child.tail) for child in element)
    attributes = _attributes(element, names)
    if tag in ("a", "defs") or (tag == "g" and not attributes):
        return f"<defs>{inner}</defs>" if tag == "defs" and inner else inner
    if tag == "g" and not inner:
        return ""
    return f"<{tag}{attributes}>{inner}</{tag}>" if inner else f"<{tag}{attributes}/>"


def _text(text: str | None) -> str:
    return escape(text) if text and not text.isspace() else ""


def _attributes(element: ET.Element, names: dict[str, str]) -> str:
    written = []
    letter = element.get("transform") == _LETTER_GRID and "d" in element.attrib
    for name, given in element.attrib.items():
        local = _local(name)
        value = given
        if letter and local in ("d", "transform"):
            value = _coarser(given) if local == "d" else f"scale({0.015625 * _COARSER})"
        if local == "id":
            if value in names:
                written.append(("id", names[value]))
        elif local == "href":
            if (name_here := names.get(value.removeprefix("#"))) is not None:
                written.append(("href", f"#{name_here}"))
        elif local == "transform" and (moved := _moved_along(element, value)):
            written.append(("x", moved))
        else:
            written.append((local, _short(local, value, names)))
    return "".join(f' {name}="{escape(value)}"' for name, value in written)


def _moved_along(element: ET.Element, transform: str) -> str:
    """The x of a letter, in hundredths of its size, which ``use`` can say in fewer words than a transform."""
    found = re.fullmatch(r"translate\((-?[\d.]+) 0\)", transform)
    return (
        _rounded(found.group(1), 0)
        if found and _local(element.tag) == "use" and "x" not in element.attrib
        else ""
    )


def _short(name: str, value: str, names: dict[str, str]) -> str:
    if name == "style":
        value = re.sub(r"\s*([:;])\s*", r"\1", value).rstrip(";")
    value = _REFERENCE.sub(lambda found: "#" + names.get(found.group(1), found.group(1)), value)
    if name in ("d", "transform", "x", "y", "points") or name == "style":
        value = _LONG_NUMBER.sub(lambda found: _rounded(found.group()), value)
    if name == "d":
        value = re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(value.split())).replace(" -", "-")
    return value


def _coarser(path: str) -> str:
    return re.sub(r"-?\d+(?:\.\d+)?", lambda found: f"{round(float(found.group()) / _COARSER)}", path)


def _rounded(number: str, decimals: int = _DECIMALS) -> str:
    text = f"{float(number):.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
