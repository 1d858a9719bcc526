"""docs/formats.md lists the fields, formats and limits that the code has."""

import re
from pathlib import Path

import pytest

from data.importing import canonical_fields, formats, kinds, limits

PAGE = Path(__file__).resolve().parents[3] / "docs" / "formats.md"


def field_rows(kind):
    return [
        f"| `{one.name}` | {one.needed} | {one.meaning} | `{one.example}` |" for one in canonical_fields(kind)
    ]


@pytest.mark.parametrize("kind", [one.name for one in kinds() if one.supported])
def test_the_fields_of_a_kind_are_listed(kind):
    text = PAGE.read_text(encoding="utf-8")
    section = re.search(rf"<!-- fields: {kind} -->\n\|[^\n]*\n\|[-|]+\n(.*?)<!-- end -->", text, re.DOTALL)
    assert section is not None
    assert section[1].splitlines() == field_rows(kind)


def test_every_format_and_kind_is_named():
    text = PAGE.read_text(encoding="utf-8")
    for one in (*formats(), *kinds()):
        assert f"`{one.name}`" in text or f"`--kind {one.name}`" in text


def test_the_limits_are_those_of_the_code():
    text = PAGE.read_text(encoding="utf-8")
    for said in (
        f"{limits.MAX_COLUMNS:,} columns",
        f"{limits.MAX_RECORD_BYTES >> 20} MB a record",
        f"{limits.MAX_REFUSED:,} records",
        f"{limits.MAX_DOCUMENT_BYTES >> 20} MB and {limits.MAX_DEPTH} levels",
        f"{limits.MAX_ARCHIVE_MEMBERS:,} files",
        f"grows {limits.MAX_UNPACKED_RATIO} times",
        f"above {limits.MAX_SMALL_UNPACKED >> 20} MB",
        f"{limits.MAX_UNPACKED_BYTES >> 30} GB",
        f"{limits.MAX_TEXT:,} characters",
    ):
        assert said in text, said
