"""House rules that no linter knows: words on screen, reasons beside suppressions, nothing of one machine."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT_SUFFIXES = {".py", ".md", ".txt", ".toml", ".lock", ".sql", ".css", ".html", ".js", ".csv", ".json", ""}

#: Layers whose texts a person reads.
SPEAKING = ("app.py", "cli.py", "commands", "answers", "ui", "pages", "report", "charts", "analysis")
#: Words that claim what data cannot show, or that say nothing.
FORBIDDEN = re.compile(
    r"\b(?i:tied|same|equal(?:ly|s)?|no difference|level with|significan(?:t|tly|ce)|proven safe|winners?"
    r"|smart|insights?|leverage)\b|\bAI\b"
)
#: (file, the literal's text) -> why it stands there all the same.
ALLOWED: dict[tuple[str, str], str] = {}

# Written in parts, so that this file does not hold what it looks for.
REGISTRIES = [
    ".".join(parts)
    for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"))
]
REGISTRIES += [
    ".".join(parts) for parts in (("deb", "debian", "org"), ("proxy", "golang", "org"), ("crates", "io"))
]
MACHINE_PATH = re.compile(r"(?<![\w.:/~])/(?:work|root|home|Users|opt)/\w")
SKIP = re.compile(r"pytest\.(mark\.)?(skip|skipif|xfail|importorskip)")
REASON = re.compile(r"[a-z]+\W+\w+")  # at least two words


def files(root, suffixes):
    """Files of the project, without what git or a tool keeps for itself."""
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        private = any(part.startswith(".") and part not in (".ci", ".streamlit") for part in parts[:-1])
        if private or "__pycache__" in parts or parts[0] == "workspace" or not path.is_file():
            continue
        if path.suffix in suffixes:
            yield path


def literals(path):
    """(line, text) of every string that is not a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.lineno, node.value


def comments(path):
    """(line number, comment, code before it) of every comment."""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string, token.line[: token.start[1]].strip()


def forbidden_words(root):
    found = []
    for name in SPEAKING:
        for path in [root / name] if name.endswith(".py") else files(root / name, {".py"}):
            relative = path.relative_to(root).as_posix()
            found += [
                f"{relative}:{line} says {match[0]!r}: {text!r}"
                for line, text in (literals(path) if path.exists() else ())
                if (match := FORBIDDEN.search(text)) and (relative, text) not in ALLOWED
            ]
    return found


def unreasoned(path):
    """Suppressions and broad handlers that no reason stands beside, and notes of work left open."""
    found = []
    reasons = {}
    for line, comment, _ in comments(path):
        words = re.sub(r"#\s*(noqa|type:\s*ignore)(:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*|\[[^\]]*\])?", "", comment)
        reasons[line] = bool(REASON.search(words))
        if re.search(r"#\s*(noqa|type:\s*ignore)", comment) and not reasons[line]:
            found.append(f"{line}: a suppression without a reason")
        if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", comment):
            found.append(f"{line}: a note of open work; it belongs in an issue")
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if isinstance(node, ast.ExceptHandler) and is_broad(node) and not reasons.get(node.lineno):
            found.append(f"{node.lineno}: a broad except without a reason")
        skip = isinstance(node, ast.Attribute) and SKIP.fullmatch(ast.unparse(node))
        if skip and not has_reason(calls.get(id(node))):
            found.append(f"{node.lineno}: a skip without a reason")
    return found


def is_broad(handler):
    """Whether it swallows any error; one that ends in ``raise`` only cleans up."""
    if isinstance(handler.body[-1], ast.Raise):
        return False
    names = [handler.type] if not isinstance(handler.type, ast.Tuple) else handler.type.elts
    return any(name is None or ast.unparse(name) in {"Exception", "BaseException"} for name in names)


def has_reason(call):
    """Whether a skip is called with a reason; one that is computed counts as given."""
    if call is None:
        return False
    given = [word.value for word in call.keywords if word.arg == "reason"]
    given += call.args[:1] if "mark" not in ast.unparse(call.func) else []
    return any(not isinstance(value, ast.Constant) or REASON.search(str(value.value)) for value in given)


def machine_traces(path):
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if MACHINE_PATH.search(line):
            found.append(f"{number}: a path of one machine")
        if any(host in line for host in REGISTRIES):
            found.append(f"{number}: a registry's host")
    return found


def every(root, suffixes, check):
    return [f"{path.relative_to(root)}:{found}" for path in files(root, suffixes) for found in check(path)]


def test_nothing_on_screen_claims_what_data_cannot_show():
    assert not (found := forbidden_words(ROOT)), "\n".join(found)


def test_every_exception_to_the_words_is_still_needed():
    there = {(name, text) for name, _ in ALLOWED for _, text in literals(ROOT / name)}
    assert ALLOWED.keys() <= there
    assert all(REASON.search(reason) for reason in ALLOWED.values())


def test_every_suppression_has_a_reason():
    assert not (found := every(ROOT, {".py"}, unreasoned)), "\n".join(found)


def test_no_trace_of_a_machine_or_a_registry():
    assert not (found := every(ROOT, TEXT_SUFFIXES, machine_traces)), "\n".join(found)


def test_product_code_knows_nothing_beside_the_project():
    product = [path for name in SPEAKING for path in [ROOT / name] if path.suffix == ".py" and path.exists()]
    product += [
        path for name in (*SPEAKING, "data") for path in files(ROOT / name, {".py"}) if (ROOT / name).is_dir()
    ]
    assert [path for path in product if "../shared" in path.read_text(encoding="utf-8")] == []


# The checks can fail


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('x = "Aster and Borealis are tied"', "tied"),
        ('x = f"the Same {y} tasks"', "Same"),
        ('x = "There is no difference"', "no difference"),
        ('x = ["a significantly better model"]', "significantly"),
        ('x = "AI"', "AI"),
    ],
)
def test_a_forbidden_word_is_found(tmp_path, text, word):
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "card.py").write_text(
        f'"""The same in a docstring."""\ny = 1  # tied in a comment\n{text}\n'
    )
    (found,) = forbidden_words(tmp_path)
    assert found.startswith(f"ui/card.py:3 says {word!r}")


def test_words_that_only_contain_a_forbidden_one_pass(tmp_path):
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "card.py").write_text('x = "equality, untied, SAID, winnerless"\n')
    assert forbidden_words(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import os  # noqa: F401", "suppression"),
        ("import os  # noqa", "suppression"),
        ("x = 1  # type: ignore[assignment]", "suppression"),
        ("try:\n    pass\nexcept Exception:\n    pass", "broad except"),
        ("try:\n    pass\nexcept (OSError, BaseException):\n    pass", "broad except"),
        ("try:\n    pass\nexcept:\n    pass", "broad except"),
        ("x = 1  # TO" + "DO: later", "open work"),
        ("import pytest\n@pytest.mark.skip\ndef test_x(): pass", "skip"),
        ("import pytest\n@pytest.mark.skipif(True)\ndef test_x(): pass", "skip"),
        ("import pytest\n@pytest.mark.xfail(reason='')\ndef test_x(): pass", "skip"),
        ("import pytest\npytest.skip('')", "skip"),
    ],
)
def test_an_unreasoned_way_out_is_found(tmp_path, text, problem):
    (tmp_path / "a.py").write_text(text + "\n")
    (found,) = every(tmp_path, {".py"}, unreasoned)
    assert problem in found


@pytest.mark.parametrize(
    "text",
    [
        "import os  # noqa: F401 - kept for its side effect",
        "x = 1  # type: ignore[assignment]  # the stub is wrong",
        "try:\n    pass\nexcept Exception:  # noqa: BLE001 - the screen's boundary\n    pass",
        "import pytest\n@pytest.mark.skipif(True, reason='needs a display')\ndef test_x(): pass",
        "try:\n    pass\nexcept BaseException:\n    print()\n    raise",
        "import pytest\npytest.skip('needs a display')\npytest.skip(message)",
    ],
)
def test_a_reasoned_one_passes(tmp_path, text):
    (tmp_path / "a.py").write_text(text + "\n")
    assert every(tmp_path, {".py"}, unreasoned) == []


def test_traces_of_a_machine_are_found(tmp_path):
    (tmp_path / "a.md").write_text(
        f"see {chr(47)}home/me/x\nand https://{REGISTRIES[0]}/simple\n~/work/fine ../home/fine\n"
    )
    assert every(tmp_path, TEXT_SUFFIXES, machine_traces) == [
        "a.md:1: a path of one machine",
        "a.md:2: a registry's host",
    ]
