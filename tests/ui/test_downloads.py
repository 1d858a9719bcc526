"""A downloaded table opens in a spreadsheet as it stood on screen and runs nothing."""

import csv
import io

import pytest

from answers.base import Column, Table
from ui import downloads


def read(content):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_a_formula_becomes_text(text):
    assert downloads.safe_text(text) == f"'{text}"


def test_numbers_stay_numbers_and_unknown_is_empty():
    table = Table(
        "t", "T", (Column("model", "Model"), Column("mean", "Solved", "share")), (("=cmd", 0.1), ("b", None))
    )
    assert read(downloads.table_csv(table)) == [["model", "mean"], ["'=cmd", "0.1"], ["b", ""]]


def test_a_negative_number_is_not_taken_for_a_formula():
    assert read(downloads.csv_bytes(["x"], [[-0.5], [True]])) == [["x"], ["-0.5"], ["true"]]


def test_a_spreadsheet_is_told_the_encoding():
    assert downloads.csv_bytes(["é"], []).startswith(b"\xef\xbb\xbf")
