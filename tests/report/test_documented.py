"""docs/decision-record.md names what there is."""

import re
import typing
from dataclasses import fields
from pathlib import Path

from made_boards import board_answer, made_record

from report import differences
from report.evidence import Evidence
from report.formats import FORMATS
from report.formats.csv import sheets
from report.recommendation import Recommendation
from report.record import Choice, Record

PAGE = (Path(__file__).parents[2] / "docs" / "decision-record.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([a-z_ ]+)`", PAGE))


def test_every_field_is_documented():
    for cls in (Record, Evidence, Choice, Recommendation):
        assert {field.name for field in fields(cls)} - NAMED == set()


def test_every_kind_of_difference_format_and_sheet_is_documented():
    assert set(typing.get_args(differences.Kind)) <= NAMED
    assert {sheet.name for sheet in sheets(made_record(board_answer()))[:8]} <= NAMED
    assert f"--format {'|'.join(FORMATS)}" in PAGE


def test_every_verdict_word_is_documented():
    source = (Path(__file__).parents[2] / "report" / "recommendation.py").read_text(encoding="utf-8")
    words = set(re.findall(r'"([A-Z][a-z]+(?:,? [a-z]+)*)"', source))
    assert {"Recommended", "In own words", "Evidence missing"} <= words
    assert {word for word in words if f"| {word} |" not in PAGE} - {"Do not switch"} == set()
