import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from made_boards import board_answer, made_record
from markdown_it import MarkdownIt

from analysis import wording
from analysis.results import Finding
from answers.base import Fact, Headline
from report.formats import FORMATS, document, export
from report.formats.csv import safe, sheets
from report.formats.markdown import code, escaped
from report.layout import command, half, written_interval

ROOT = Path(__file__).parents[2]
HOSTILE = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://evil.example","x")',
    "`tick` ``two`` | pipe **b** __u__ ~~s~~ [l](http://evil.example) ![i](http://evil.example/x.png)",
    "@octocat fixes #12, see https://evil.example and www.evil.example or a@b.example GH-7 :bomb:",
    "A\u202egnp.exe\nSecond line\r\n# Head\tTab\x00\x1b[31m",
    "'\"></td><img src=x onerror=alert(1)>&amp;&lt;",
    "- - [ ] 1. + * > ``` --- $x^2$ \\",
    "</style></svg><svg onload=alert(1)>",
    "{{7*7}} ${7*7} <!-- --> ]]> ${jndi:x}",
)


def hostile_record():
    """A record whose every text from a file or a person is hostile."""
    findings = tuple(Finding("bad", text, text) for text in HOSTILE)
    answer = board_answer(
        names=HOSTILE, benchmark=HOSTILE[2], file=HOSTILE[0] + HOSTILE[5], findings=findings
    )
    card = Headline(
        "good", HOSTILE[1], HOSTILE[3], HOSTILE[2], (Fact("Interval", HOSTILE[2]), Fact("Tasks", HOSTILE[5]))
    )
    forest = replace(
        answer.figures[0], title=HOSTILE[7], subtitle=HOSTILE[0], takeaway=HOSTILE[5], axis_title=HOSTILE[2]
    )
    answer = replace(answer, headline=card, figures=(forest,), method=HOSTILE[2], asked=HOSTILE[4])
    return made_record(
        answer,
        choice=HOSTILE[2],
        title=HOSTILE[0],
        reasons=HOSTILE[3],
        decided_by=HOSTILE[5],
        consulted=HOSTILE[8],
        watch=HOSTILE,
        reopen=HOSTILE,
    )


class Reader(html.parser.HTMLParser):
    """What a page holds: tags, attributes and texts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)


def test_html_holds_no_script_no_event_and_no_address():
    page = Reader(export(hostile_record(), "html").decode())
    assert not {"script", "iframe", "object", "embed", "img", "link", "form", "a", "base"} & set(page.tags)
    assert not [found for found in page.attributes if found[1].startswith("on")]
    assert all(
        value.startswith("#") for _, name, value in page.attributes if name in ("href", "src", "xlink:href")
    )
    assert page.tags.count("style") == 1
    assert page.tags.count("h1") == 1


def test_html_shows_hostile_texts_as_they_are():
    texts = "\n".join(Reader(export(hostile_record(), "html").decode()).texts)
    for text in (HOSTILE[0], HOSTILE[2], HOSTILE[5], HOSTILE[6]):
        assert text in texts
    assert "\u202e" not in texts
    assert "\x1b" not in texts


def test_html_is_one_page_in_english_with_headings_in_order_and_scoped_tables():
    text = export(made_record(), "html").decode()
    page = Reader(text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert next(tag for tag in page.tags if re.fullmatch("h[1-6]", tag)) == "h1"
    assert set(re.findall(r"<h([3-6])", text)) == set()
    scopes = [value for tag, name, value in page.attributes if tag == "th" and name == "scope"]
    assert len(scopes) == page.tags.count("th")
    assert "default-src 'none'" in text
    assert "url(" not in text
    assert "@import" not in text


def test_html_stays_small():
    assert len(export(made_record(), "html")) < 48_000
    assert len(export(made_record(board_answer(figures=False)), "html")) < 15_000


MARKDOWN = MarkdownIt("gfm-like", {"linkify": False, "html": True})


def spans(tokens):
    for token in tokens:
        yield token
        yield from spans(token.children or ())


def test_markdown_holds_no_link_image_or_html_of_a_text():
    text = export(hostile_record(), "md").decode()
    kinds = {token.type for token in spans(MARKDOWN.parse(text))}
    assert not {"link_open", "image", "html_block", "html_inline", "fence", "s_open", "em_open"} & kinds
    assert "heading_open" in kinds


def test_markdown_shows_hostile_names_as_they_are():
    rendered = MARKDOWN.render(export(hostile_record(), "md").decode())
    texts = "".join(Reader(rendered).texts).replace("\u200b", "")
    for text in (HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[5], HOSTILE[8]):
        assert text in texts


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_one_inline_text_in_every_place_of_a_document(text):
    for place in ("{}", "- {}", "> {}", "# {}", "**{}**", "| a |\n|:--|\n| {} |"):
        tokens = list(spans(MARKDOWN.parse(place.format(escaped(text)))))
        kinds = {token.type for token in tokens}
        assert not {"code_inline", "link_open", "image", "html_inline", "s_open", "em_open", "hr"} & kinds
        assert sum(token.type == "inline" for token in tokens) <= 2
        assert sum(token.type.endswith("list_open") for token in tokens) == place.startswith("- ")


@pytest.mark.parametrize(
    "text",
    [
        "@octocat",
        "x @org/team",
        "#12",
        "owner/repo#3",
        "GH-4",
        "https://evil.example",
        "ftp://a.example",
        "www.evil.example",
        "a@b.example",
        "mailto:a@b.example",
        "0123456789abcdef0123456789abcdef01234567",
        "deadbeef1",
        ":bomb:",
    ],
)
def test_forges_find_nothing_to_link(text):
    """The patterns by which forges link what Markdown leaves alone, on the text after Markdown was read."""
    (paragraph,) = re.findall(r"<p>(.*)</p>", MARKDOWN.render(escaped(text)))
    forge = (
        r"(?<![\w`])@[a-z\d]", r"(?<!&)#\d", r"\bGH-\d", r"\w+://\w", r"\bwww\.", r"[\w.+-]+@[\w-]+\.", r"mailto:\w",
        r"\b[0-9a-f]{7,40}\b", r":[\w+-]+:",
    )  # fmt: skip
    assert not [pattern for pattern in forge if re.search(pattern, paragraph, re.IGNORECASE)]
    assert paragraph.replace("\u200b", "") == text


@pytest.mark.parametrize(
    "text",
    [
        "68.4%",
        "+5.9 points",
        "2.4 to 9.4",
        "−16.3 to −2.1",
        "1–2",
        "$0.31",
        "1,204,331",
        "1204331",
        "GPT-5 (high)",
        "2026-11-29",
        "p < 0.001",
    ],
)
def test_numbers_and_plain_names_stay_readable(text):
    assert escaped(text).replace("\\<", "<").replace("\\$", "$") == text


@pytest.mark.parametrize("text", ["plain", "a`b", "``", "`x`", "a|b", "@octocat #1 https://evil.example"])
def test_a_code_span_cannot_be_left(text):
    (tokens,) = [t for t in MARKDOWN.parse(f"x {code(text)} y") if t.type == "inline"]
    assert [t.content for t in tokens.children if t.type == "code_inline"] == [text]
    rendered = MARKDOWN.render(f"| a |\n|:--|\n| {code(text, in_table=True)} |")
    assert rendered.count("<td") == 1
    assert rendered.count("<code>") == 1


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1+1", "\ufeff=1", "\u200b=1", "＝1+1", "＋1", "－1", "＠x", "-", "+", "=",
     "-1+cmd|' /C calc'!A0", "+5.9 points", "-2 to 3", "\n=1"],
)  # fmt: skip
def test_a_text_that_would_be_a_formula_gets_an_apostrophe(text):
    assert str(safe(text)).startswith("'")


@pytest.mark.parametrize("text", ["-5", "+5.9", "-1e-7", "5%", "-.5", "a=b", "1+1", "", "−5.9", "x@y"])
def test_numbers_and_plain_texts_keep_their_form(text):
    assert safe(text) == text


def test_other_cells_are_raw_and_unknown_is_a_word():
    assert [safe(value) for value in (0.1, -3, True, False, None)] == [0.1, -3, "true", "false", "unknown"]


def read_csv(data):
    text = data.decode("utf-8-sig")
    return [list(csv.reader(io.StringIO(part, newline=""))) for part in text.split("\r\n\r\n")]


def test_csv_reads_back_as_its_sheets_with_raw_numbers():
    made = made_record(board_answer(means=[0.6, None, 0.5, 0.4, 0.3, 0.2]), stale=(0,))
    blocks = read_csv(export(made, "csv"))
    for block, sheet in zip(blocks, sheets(made), strict=True):
        assert block[0] == ["section", sheet.name]
        assert tuple(block[1]) == sheet.heads
        assert [len(row) for row in block[2:]] == [len(sheet.heads)] * len(sheet.rows)
    options = next(block for block in blocks if block[0][1] == "options")
    column = options[1].index("solved")
    assert [row[column] for row in options[2:]] == ["0.6", "unknown", "0.5", "0.4", "0.3", "0.2"]


def test_no_cell_of_a_hostile_record_is_a_formula():
    for block in read_csv(export(hostile_record(), "csv")):
        for row in block:
            for cell in row:
                assert not re.match(r"^[\s\ufeff]*[=+\-@]", cell) or re.fullmatch(
                    r"-?\d+(\.\d+)?(e-?\d+)?", cell
                )
                assert "\n" not in cell


def test_json_is_canonical_and_keeps_unknown_as_null():
    text = export(made_record(board_answer(costs=[None] * 6)), "json").decode()
    body = json.loads(text)
    assert text == json.dumps(body, sort_keys=True, ensure_ascii=False, indent=2) + "\n"
    assert body["evidence"][0]["payload"]["models"][0]["cost_per_task"] is None


def numbers_of(texts):
    return set(re.findall(r"[+\u2212]?\$?\d[\d,]*(?:\.\d+)?%?", " ".join(texts)))


def test_every_number_of_the_options_is_the_payload_written_by_wording():
    made = made_record(board_answer(leading=1), choice="Aster 4")
    payload = made.evidence[0].payload
    allowed = set()
    for model in payload["models"]:
        width = (model["high"] - model["low"]) / 2
        allowed |= numbers_of([
            wording.share(model["mean"], width),
            wording.interval(model["low"], model["high"], "share", half_width=width),
            wording.rank_range(model["rank_low"], model["rank_high"]),
            wording.money(model["cost_per_task"]),
        ])  # fmt: skip
    for one in payload["pairs"]:
        width = (one["high"] - one["low"]) / 2
        for sign in (1, -1):
            ends = sorted((sign * one["low"], sign * one["high"]))
            allowed |= numbers_of([
                wording.points_number(sign * one["difference"], width),
                wording.interval(*ends, "points", signed=True, half_width=width),
            ])  # fmt: skip
    grid = next(
        block for block in document(made).blocks if getattr(block, "title", "") == "Options considered"
    )
    shown = numbers_of(cell.text for row in grid.rows for cell in row.cells[1:])
    assert len(shown) > 30
    assert shown <= allowed
    for form in ("html", "md"):
        text = export(made, form).decode().replace("\\", "").replace("\u200b", "")
        assert not [number for number in shown if number not in text]


def test_what_is_unknown_says_so_in_every_format():
    made = made_record(board_answer(means=[0.6, None, 0.5, 0.4, 0.3, 0.2], costs=[None] * 6))
    option = made.boards[0].options[1]
    solved = option.measures[0]
    assert (half(solved), written_interval(solved)) == (None, "no interval")
    row = next(line for line in export(made, "md").decode().splitlines() if line.startswith("| Borealis L"))
    assert row.count("unknown") >= 3
    assert "$0.00" not in row


def test_a_recorded_question_can_be_asked_again_by_its_command():
    made = made_record(board_answer(names=("it's", "-x", "c"), baseline="-x"), choice="c")
    assert command(made.evidence[0]) == (
        "python cli.py leaderboard --benchmark repo-tasks --baseline=-x --confidence 0.95 --correction max-t --margin 0.02"
    )
    assert "--benchmark 'a b'" in command(replace(made.evidence[0], parameters={"benchmark": "a b"}))
    several = replace(
        made.evidence[0], parameters={"model": ["it's", "b"], "fast": True, "slow": False, "split": None}
    )
    assert command(several).endswith("leaderboard --fast --model 'it'\"'\"'s' --model b")


def test_all_formats_tell_the_decision():
    made = made_record(
        board_answer(leading=1),
        choice="Stay on Aster 4",
        reasons="the router is late",
        decided_by="M. Brandt",
    )
    for form in FORMATS:
        text = unicodedata.normalize("NFC", export(made, form).decode()).lower()
        for told in (
            "stay on aster 4",
            "the router is late",
            "m. brandt",
            "2026-014",
            "use aster 5",
            "against the recommendation",
        ):
            assert told in text, (form, told)


def statements(made):
    return dict(document(made).blocks[0].items)


def test_the_first_lines_tell_recommendation_decision_and_why():
    clear = statements(made_record(choice="Aster 5", reasons="it is cheaper", profile="batch"))
    assert clear == {
        "Recommended": "Use Aster 5: no other contender may be the best on repo-tasks.",
        "Decided": "Aster 5.",
        "Why": "It is cheaper.",
        "Meant for": "Batch work.",
    }
    against = statements(made_record(choice="Aster 4", stale=(0,)))
    assert against["Why different"] == "No reason was given."
    assert against["Conditions"].endswith("is older than the data.")
    unclear = statements(made_record(board_answer(leading=2), choice="Aster 4"))
    assert unclear["Recommended"].startswith("No clear choice. Any of Aster 5 and Borealis L may be")


SCRIPT = """
import hashlib, sys
sys.path.insert(0, {here!r})
from made_boards import board_answer, made_record
from report.formats import FORMATS, export
made = made_record(board_answer(leading=1), board_answer(benchmark="second"), choice="Aster 5", watch=("é",))
print([hashlib.sha256(export(made, form)).hexdigest() for form in FORMATS])
"""


def test_bytes_do_not_hang_on_threads_hash_seed_locale_or_folder(tmp_path):
    seen = set()
    for threads, seed, locale in (("1", "0", "C"), ("2", "77", "C.UTF-8"), ("8", "random", "tr_TR.UTF-8")):
        environment = {
            **os.environ,
            "SWITCHOVER_THREADS": threads,
            "PYTHONHASHSEED": seed,
            "LC_ALL": locale,
            "TZ": "Pacific/Apia" if threads == "8" else "UTC",
            "PYTHONPATH": str(ROOT),
            "PYTHONIOENCODING": "utf-8",
        }
        script = SCRIPT.format(here=str(Path(__file__).parent))
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
            cwd=tmp_path,
        )
        seen.add(done.stdout)
    assert len(seen) == 1
