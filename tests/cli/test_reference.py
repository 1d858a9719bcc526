"""docs/cli.md is what the parser says today."""

from tools.cli_reference import PAGE, page


def test_the_reference_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tools.cli_reference`"


def test_every_argument_says_what_it_means():
    assert [line for line in page().splitlines() if line.endswith("| . |") or "|  |" in line] == []
